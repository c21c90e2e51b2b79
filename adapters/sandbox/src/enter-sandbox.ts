import { isWithin } from "@capstan/patterns";
import type { SandboxedProgram, SandboxRequest } from "@capstan/ports";
import { AppError, buildFolderNames, messageOf } from "@capstan/protocol";
import { type BuildEntries, findBuildFolders } from "./build/find-build-folders.ts";
import type { HeldGround } from "./holder/holding.ts";
import type { Holdings } from "./holder/holdings.ts";
import type { HolderParts } from "./holder/start-holder.ts";
import { checkLayout, type Layout } from "./layout/check-layout.ts";
import { homeInside } from "./layout/home-inside.ts";
import { commandArguments } from "./layout/profile.ts";
import { repositoryAround } from "./layout/repository-around.ts";
import { type ConfinedLaunch, namedProgram, prepareLaunch } from "./launch/confined-program.ts";
import { launchDescriptors } from "./launch/launch-descriptors.ts";
import { type OpenedHosts, openHosts } from "./network/open-hosts.ts";
import type { SandboxOptions } from "./options.ts";
import type { TreeMemory } from "./protect/folder-memory.ts";
import { type HeldRun, holdRun } from "./protect/held-run.ts";
import type { FolderSurvey } from "./protect/survey.ts";
import { reportRun } from "./report-run.ts";
import { repositoriesNow } from "./scan/repository-runs.ts";
import { isRunLater, listLaterRuns } from "./scan/runs-later.ts";
import type { Unreported } from "./unreported.ts";

/** What every run needs and none changes. */
export interface SandboxParts extends HolderParts {
  readonly holdings: Holdings;
  readonly unreported: Unreported;
  /** What was found in folders that are as they were. */
  readonly surveyed: TreeMemory<FolderSurvey>;
  readonly built: TreeMemory<BuildEntries>;
}

/** @throws AppError `sandbox.layout`, `sandbox.failed` */
export async function enterSandbox(request: SandboxRequest, parts: SandboxParts): Promise<SandboxedProgram> {
  const layout = await withBuildFolders(request, withSurroundings(checkLayout(request, parts.options), parts), parts);
  distrustWithin(layout, parts.bubblewrap);
  try {
    return await enter(request, layout, parts);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("sandbox.failed", `The sandbox cannot be made ready: ${messageOf(error)}`, { cause: error });
  }
}

function withSurroundings(layout: Layout, { options }: SandboxParts): Layout {
  const around = layout.roots.flatMap((root) => repositoryAround(root, options) ?? []);
  return { ...layout, around: [...new Set(around)].filter((path) => !layout.roots.includes(path)) };
}

/** What of a workspace that is read-only otherwise the program may change: looked up again for each, since the last may have made or removed it. */
async function withBuildFolders(
  { confinement }: SandboxRequest,
  layout: Layout,
  { options: { buildFolders = [] }, built }: SandboxParts,
): Promise<Layout> {
  if (confinement.workspace !== "build") return layout;
  const names = [...buildFolderNames, ...buildFolders];
  const found = await Promise.all(
    layout.roots.map(async (root) => await findBuildFolders(root, names, built.of(root, names))),
  );
  return { ...layout, build: found.flat() };
}

async function enter(request: SandboxRequest, layout: Layout, parts: SandboxParts): Promise<SandboxedProgram> {
  const { options } = parts;
  const deniedPatterns = withCopied(options.deniedPatterns, layout);
  const opened = [request.workspace.cwd, ...request.workspace.roots];
  const targets = { deniedPatterns, opened, isScript: isRunLater, memory: parts.surveyed };
  const command: { launch?: ConfinedLaunch; endedBecause?: string } = {};
  const end = (reason: string): void => {
    command.endedBecause = reason;
    command.launch?.kill();
  };
  const ground = await parts.holdings.of(request.session ?? "", layout).begin(targets, end);
  let held: HeldRun | undefined;
  let hosts: OpenedHosts | undefined;
  const leave = (): void => {
    hosts?.close();
    held?.close();
    ground.end();
  };
  try {
    const { plan, surveys } = ground.protection;
    const before = { later: listLaterRuns(surveys.values()), repositories: repositoriesNow(surveys.values()) };
    const roots = [...surveys.keys()];
    const { links, absent } = plan;
    const { governing } = ground;
    held = holdRun(options.stateDirectory, { roots, links, absent, governing });
    const run = held;
    hosts = await openedHosts(request, ground, options);
    const launch = start(request, { layout, ground, hosts }, parts);
    command.launch = launch;
    return {
      file: launch.file,
      args: launch.args,
      environment: marksOf(request.environment),
      descriptors: launch.descriptors,
      finish: async () => {
        try {
          await launch.end();
          delete command.launch;
          const { stateDirectory } = options;
          const { unreported } = parts;
          const report = await reportRun({
            request,
            layout,
            ground,
            before,
            targets,
            run,
            hosts,
            stateDirectory,
            unreported,
          });
          const { endedBecause } = command;
          return endedBecause === undefined ? report : { ...report, endedBecause };
        } finally {
          leave();
        }
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/** What is denied by its place is denied in the copy of that place. */
function withCopied(patterns: readonly string[], { copied }: Layout): readonly string[] {
  if (copied === undefined) return patterns;
  const also = patterns.flatMap((pattern) =>
    copied.flatMap(({ path, copy }) =>
      pattern.startsWith(`${path}/`) ? [`${copy}${pattern.slice(path.length)}`] : [],
    ),
  );
  return also.length === 0 ? patterns : [...patterns, ...also];
}

async function openedHosts(
  { confinement: { hosts }, mayReach, ownHosts: own = [] }: SandboxRequest,
  { holder }: HeldGround,
  { proxyFor }: SandboxOptions,
): Promise<OpenedHosts | undefined> {
  if (hosts.length === 0 && mayReach === undefined) return undefined;
  return await openHosts({ hosts, own, mayReach, proxyFor }, async () => await holder.wayOut());
}

interface Prepared {
  readonly layout: Layout;
  readonly ground: HeldGround;
  readonly hosts: OpenedHosts | undefined;
}

function start(request: SandboxRequest, { layout, ground, hosts }: Prepared, parts: SandboxParts): ConfinedLaunch {
  const { options, limits } = parts;
  const open = [...layout.roots, ...layout.writable, ...(layout.around ?? [])];
  return prepareLaunch({
    directory: options.stateDirectory,
    holder: ground.holder,
    profile: commandArguments({
      limits,
      layout,
      workspace: request.confinement.workspace,
      outside: ground.protection.plan.mounts.filter(({ path }) => !open.some((folder) => isWithin(folder, path))),
      caches: parts.caches.map(({ path }) => path),
      environment: { ...request.environment, HOME: homeInside(options), TMPDIR: "/tmp", ...hosts?.environment },
      descriptors: launchDescriptors,
    }),
    program: namedProgram(request.file, request.args),
  });
}

/** `bwrap` itself gets nothing that could change what it does; but by Capstan's marks its processes are found. */
function marksOf(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith("CAPSTAN_")));
}

function distrustWithin({ roots, writable }: Layout, bubblewrap: string): void {
  const place = [...roots, ...writable].find((folder) => isWithin(folder, bubblewrap));
  if (place === undefined) return;
  const text = `${JSON.stringify(bubblewrap)} lies where commands may change it.`;
  throw new AppError("sandbox.failed", text, { hint: "Install bubblewrap with the system's package manager." });
}
