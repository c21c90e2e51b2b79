import type { SandboxedProgram, SandboxRequest } from "@capstan/ports";
import { AppError, messageOf } from "@capstan/protocol";
import { checkLayout, type Layout } from "./layout/check-layout.ts";
import { profileArguments } from "./layout/profile.ts";
import { isWithin } from "./layout/real-path.ts";
import { launchDescriptors, namedProgram, prepareLaunch, starterPath } from "./launch/confined-program.ts";
import type { SandboxLimits, SandboxOptions } from "./options.ts";
import { closedSourcesIn } from "./protect/closed-sources.ts";
import { holdRun } from "./protect/held-run.ts";
import { planProtection } from "./protect/plan-protection.ts";

/** What every run needs and none changes. */
export interface SandboxParts {
  readonly options: SandboxOptions;
  /** The real path of `bwrap`. */
  readonly bubblewrap: string;
  readonly filter: Uint8Array;
  readonly limits: SandboxLimits;
  readonly starter: Uint8Array;
}

/** @throws AppError `sandbox.layout`, `sandbox.failed` */
export async function enterSandbox(request: SandboxRequest, parts: SandboxParts): Promise<SandboxedProgram> {
  const layout = checkLayout(request, parts.options);
  distrustWithin(layout, parts.bubblewrap);
  try {
    return await enter(request, layout, parts);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("sandbox.failed", `The sandbox cannot be made ready: ${messageOf(error)}`, { cause: error });
  }
}

async function enter(request: SandboxRequest, layout: Layout, parts: SandboxParts): Promise<SandboxedProgram> {
  const { options } = parts;
  const { workspace } = request.confinement;
  const closed = closedSourcesIn(options.stateDirectory);
  const protection = await planProtection({
    layout,
    workspace,
    deniedPatterns: options.deniedPatterns,
    closed,
    isScript: () => false,
  });
  const held = holdRun(options.stateDirectory, protection.plan);
  try {
    const launch = prepareLaunch({
      directory: options.stateDirectory,
      filter: parts.filter,
      starter: parts.starter,
      profile: profileArguments({
        options,
        limits: parts.limits,
        starterPath,
        layout,
        workspace,
        mounts: protection.plan.mounts,
        environment: request.environment,
        descriptors: launchDescriptors,
      }),
      program: namedProgram(request.file, request.args),
    });
    return {
      file: parts.bubblewrap,
      args: launch.args,
      environment: marksOf(request.environment),
      descriptors: launch.descriptors,
      finish: async () => {
        await launch.end();
        return { runsLater: [...held.release()], refusedHosts: [] };
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** `bwrap` itself gets nothing that could change what it does; but by Capstan's marks its processes are found. */
function marksOf(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith("CAPSTAN_")));
}

function distrustWithin({ roots, writable }: Layout, bubblewrap: string): void {
  const place = [...roots, ...writable].find((folder) => isWithin(bubblewrap, folder));
  if (place === undefined) return;
  const text = `${JSON.stringify(bubblewrap)} lies where commands may change it.`;
  throw new AppError("sandbox.failed", text, { hint: "Install bubblewrap with the system's package manager." });
}
