import { mkdirSync } from "node:fs";
import type { Sandbox } from "@capstan/ports";
import { AppError, type Isolation, messageOf } from "@capstan/protocol";
import { enterSandbox, type SandboxParts } from "./enter-sandbox.ts";
import { systemSecrets } from "./layout/system-folders.ts";
import { findBubblewrap } from "./launch/find-bubblewrap.ts";
import { defaultLimits } from "./limits.ts";
import type { SandboxOptions } from "./options.ts";
import { closedSourcesIn } from "./protect/closed-sources.ts";
import { sweepRuns } from "./protect/held-run.ts";
import { assembleFilter } from "./seccomp/assemble-filter.ts";
import { systemCallsOf } from "./seccomp/syscall-numbers.ts";
import { testSandbox } from "./self-test/test-sandbox.ts";

/**
 * The sandbox of Linux: bubblewrap with namespaces for all there is, and a filter of system calls of our own.
 * Nothing is done until it is used first; then what killed runs have left is cleared away.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  let ready: Ready | undefined;
  let tested: Promise<Isolation> | undefined;
  /** What killed runs have left and nobody could put in order: reported with the first command. */
  const untold: string[] = [];
  const prepareOnce = (): Ready => {
    ready ??= prepare(options, untold);
    return ready;
  };
  return {
    test: async () => {
      tested ??= test(prepareOnce());
      return await tested;
    },
    enter: async (request) => {
      const found = prepareOnce();
      if (found.type === "none") {
        const hint = "Install bubblewrap, or let commands run without isolation in the configuration of your own.";
        throw new AppError("sandbox.failed", `Commands cannot be kept apart here: ${found.reason}.`, { hint });
      }
      const program = await enterSandbox(request, found.parts);
      return {
        ...program,
        finish: async () => {
          const report = await program.finish();
          return { ...report, runsLater: [...untold.splice(0), ...report.runsLater] };
        },
      };
    },
  };
}

type Ready =
  | { readonly type: "ready"; readonly parts: SandboxParts }
  | { readonly type: "none"; readonly reason: string };

function prepare(options: SandboxOptions, untold: string[]): Ready {
  if (process.platform !== "linux")
    return { type: "none", reason: `bubblewrap is for Linux, and this is ${process.platform}` };
  const calls = systemCallsOf(process.arch);
  if (calls === undefined) return { type: "none", reason: `no filter of system calls is known for ${process.arch}` };
  const found = findBubblewrap(options);
  if (found.type === "missing") return { type: "none", reason: found.reason };
  try {
    mkdirSync(options.stateDirectory, { recursive: true, mode: 0o700 });
    closedSourcesIn(options.stateDirectory);
    untold.push(...sweepRuns(options.stateDirectory, true));
  } catch (error) {
    return { type: "none", reason: `${options.stateDirectory} cannot be used: ${messageOf(error)}` };
  }
  const limits = { ...defaultLimits, ...options.limits };
  const parts = {
    options,
    bubblewrap: found.path,
    filter: assembleFilter(calls),
    limits,
    calls,
    secrets: systemSecrets(),
  };
  return { type: "ready", parts };
}

async function test(found: Ready): Promise<Isolation> {
  return found.type === "none" ? found : await testSandbox(found.parts);
}
