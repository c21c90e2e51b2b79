import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { SandboxParts } from "../enter-sandbox.ts";
import type { Holder } from "../holder/holder.ts";
import type { Layout } from "../layout/check-layout.ts";
import { homeInside } from "../layout/home-inside.ts";
import { commandArguments } from "../layout/profile.ts";
import { type ConfinedLaunch, namedProgram, prepareLaunch } from "../launch/confined-program.ts";
import { launchDescriptors } from "../launch/launch-descriptors.ts";
import { processesGonePollMs, selfTestTimeoutMs } from "../limits.ts";
import { assembleProbe } from "../machine-code/probe-program.ts";

/** Where the programs of the self-test run. */
export interface ProbePlace {
  readonly holder: Holder;
  /** Its workspace. */
  readonly folder: string;
}

/** A command that only waits. */
export interface BesideCommand {
  /** Number of its process namespace. */
  readonly namespace: string;
  end(): Promise<void>;
}

export function layoutOf(folder: string): Layout {
  return { roots: [folder], writable: [], cwd: folder };
}

/** How a program is started as commands are. @throws the system's error */
export function launchIn(
  { options, limits }: SandboxParts,
  { holder, folder }: ProbePlace,
  file: string,
): ConfinedLaunch {
  const profile = commandArguments({
    limits,
    layout: layoutOf(folder),
    workspace: "write",
    outside: [],
    caches: [],
    environment: { HOME: homeInside(options) },
    descriptors: launchDescriptors,
  });
  return prepareLaunch({ directory: options.stateDirectory, holder, profile, program: namedProgram(file, []) });
}

/** Starts a command that others must not see. @throws Error when it does not start */
export async function startBeside(parts: SandboxParts, place: ProbePlace): Promise<BesideCommand> {
  const file = join(place.folder, "beside");
  const waits = assembleProbe(parts.calls, process.arch, [{ call: "read", args: [0, { roomBytes: 8 }, 1] }]);
  writeFileSync(file, waits.file, { mode: 0o700 });
  const launch = launchIn(parts, place, file);
  const child = spawn(launch.file, launch.args, {
    stdio: ["pipe", "ignore", "ignore", ...launch.descriptors],
    env: {},
    cwd: "/",
    detached: true,
  });
  child.stdin?.on("error", () => undefined);
  const gone = once(child, "exit").then(
    () => true,
    () => true,
  );
  const end = async (): Promise<void> => {
    child.stdin?.destroy();
    child.kill("SIGKILL");
    await gone;
    await launch.end();
  };
  const until = performance.now() + selfTestTimeoutMs;
  for (;;) {
    const first = launch.first();
    if (first !== undefined) return { namespace: first.namespace, end };
    const isOver = await Promise.race([gone, setTimeout(processesGonePollMs, performance.now() > until)]);
    if (!isOver) continue;
    await end();
    throw new Error(`${parts.bubblewrap} did not start a command: it ended with ${child.exitCode}`);
  }
}
