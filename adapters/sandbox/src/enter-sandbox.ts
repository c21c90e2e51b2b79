import { isWithin } from "@capstan/patterns";
import type { SandboxedProgram, SandboxRequest } from "@capstan/ports";
import { AppError, buildFolderNames, messageOf } from "@capstan/protocol";
import { findBuildFolders } from "./build/find-build-folders.ts";
import { checkLayout, type Layout } from "./layout/check-layout.ts";
import { homeInside, profileArguments } from "./layout/profile.ts";
import {
  type ConfinedLaunch,
  launchDescriptors,
  namedProgram,
  prepareLaunch,
  starterPath,
} from "./launch/confined-program.ts";
import { assembleStarter } from "./machine-code/starter-program.ts";
import { type OpenedHosts, openHosts } from "./network/open-hosts.ts";
import type { SandboxLimits, SandboxOptions } from "./options.ts";
import { closedSourcesIn } from "./protect/closed-sources.ts";
import type { GuardPlan } from "./protect/guard.ts";
import { identityAt } from "./protect/identity-at.ts";
import { tellMoved } from "./protect/tell-moved.ts";
import { holdRun } from "./protect/held-run.ts";
import { planProtection, surveyAll } from "./protect/plan-protection.ts";
import { listRepositoryRuns } from "./scan/repository-runs.ts";
import { compareLaterRuns, isRunLater, listLaterRuns } from "./scan/runs-later.ts";
import { setAside } from "./scan/set-aside.ts";
import type { SystemCalls } from "./seccomp/syscall-numbers.ts";

/** What every run needs and none changes. */
export interface SandboxParts {
  readonly options: SandboxOptions;
  /** The real path of `bwrap`. */
  readonly bubblewrap: string;
  readonly filter: Uint8Array;
  readonly limits: SandboxLimits;
  readonly calls: SystemCalls;
  /** Paths of the system at which nothing is to be read. */
  readonly secrets: readonly string[];
}

/** @throws AppError `sandbox.layout`, `sandbox.failed` */
export async function enterSandbox(request: SandboxRequest, parts: SandboxParts): Promise<SandboxedProgram> {
  const layout = await withBuildFolders(request, checkLayout(request, parts.options), parts.options);
  distrustWithin(layout, parts.bubblewrap);
  try {
    return await enter(request, layout, parts);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("sandbox.failed", `The sandbox cannot be made ready: ${messageOf(error)}`, { cause: error });
  }
}

/** What of a workspace that is read-only otherwise the program may change: looked up again for each, since the last may have made or removed it. */
async function withBuildFolders(
  { confinement }: SandboxRequest,
  layout: Layout,
  { buildFolders = [] }: SandboxOptions,
): Promise<Layout> {
  if (confinement.workspace !== "build") return layout;
  const names = [...buildFolderNames, ...buildFolders];
  const found = await Promise.all(layout.roots.map(async (root) => await findBuildFolders(root, names)));
  return { ...layout, build: found.flat() };
}

async function enter(request: SandboxRequest, layout: Layout, parts: SandboxParts): Promise<SandboxedProgram> {
  const { options } = parts;
  const { workspace, hosts } = request.confinement;
  const folders = [request.workspace.cwd, ...request.workspace.roots];
  const targets = { deniedPatterns: options.deniedPatterns, opened: folders, isScript: isRunLater };
  const closed = closedSourcesIn(options.stateDirectory);
  const { stateDirectory } = options;
  const { plan, surveys, known, moved, isPartial } = await planProtection({
    layout,
    workspace,
    closed,
    stateDirectory,
    ...targets,
  });
  const before = listLaterRuns(surveys.values());
  const repositoriesBefore = listRepositoryRuns(surveys.values());
  const filesBefore = new Set([...repositoriesBefore.keys()].map(identityAt));
  const held = holdRun(options.stateDirectory, plan);
  let opened: OpenedHosts | undefined;
  try {
    opened =
      hosts.length === 0
        ? undefined
        : await openHosts({ hosts, own: request.ownHosts ?? [] }, options.stateDirectory, options.node);
    const launch = start(request, { layout, plan, opened }, parts);
    return {
      file: parts.bubblewrap,
      args: launch.args,
      environment: marksOf(request.environment),
      descriptors: launch.descriptors,
      finish: async () => {
        await launch.end();
        opened?.close();
        const replaced = held.release();
        const after = [...(await surveyAll(surveys.keys(), targets)).values()];
        const changed = compareLaterRuns(before, listLaterRuns(after), request.workspace.cwd);
        const planted = compareLaterRuns(repositoriesBefore, listRepositoryRuns(after), request.workspace.cwd, (path) =>
          isCovered(path, plan) || filesBefore.has(identityAt(path))
            ? undefined
            : setAside(path, [...layout.roots, ...layout.writable]),
        );
        const hidden = await tellMoved(known, { before: moved, surveys: after });
        const unseen =
          workspace === "write" && [{ isPartial }, ...surveys.values(), ...after].some((survey) => survey.isPartial);
        const runsLater = [...replaced, ...changed, ...planted, ...hidden, ...(unseen ? [notAllSeen] : [])];
        return { runsLater, refusedHosts: opened?.refused() ?? [] };
      },
    };
  } catch (error) {
    opened?.close();
    held.release();
    throw error;
  }
}

/** The program could not change it: somebody else has. */
function isCovered(path: string, { mounts }: GuardPlan): boolean {
  return mounts.some((mount) => mount.type !== "pinned" && isWithin(mount.path, path));
}

const notAllSeen = "perhaps more: the workspace has too many folders, or too deep ones, to look at all";

interface Prepared {
  readonly layout: Layout;
  readonly plan: GuardPlan;
  readonly opened: OpenedHosts | undefined;
}

function start(request: SandboxRequest, { layout, plan, opened }: Prepared, parts: SandboxParts): ConfinedLaunch {
  const { options, limits, calls } = parts;
  const own = namedProgram(request.file, request.args);
  const environment = { ...request.environment, HOME: homeInside(options), TMPDIR: "/tmp" };
  const firstClosed = opened === undefined ? launchDescriptors.arguments : launchDescriptors.channel + 1;
  return prepareLaunch({
    directory: options.stateDirectory,
    filter: parts.filter,
    starter: assembleStarter(calls, process.arch, { limits, firstClosed }),
    profile: profileArguments({
      options,
      limits,
      layout,
      secrets: parts.secrets,
      workspace: request.confinement.workspace,
      mounts: plan.mounts,
      environment: opened?.environment(environment) ?? environment,
      descriptors: launchDescriptors,
      starterPath,
    }),
    program: opened?.program(launchDescriptors.channel, own) ?? own,
    ...(opened === undefined ? {} : { channel: opened.descriptor }),
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
