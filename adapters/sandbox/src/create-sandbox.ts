import { mkdirSync } from "node:fs";
import type { Sandbox } from "@capstan/ports";
import { AppError, type Isolation, messageOf } from "@capstan/protocol";
import { enterSandbox, type SandboxParts } from "./enter-sandbox.ts";
import { Holdings } from "./holder/holdings.ts";
import { systemSecrets } from "./layout/system-folders.ts";
import { findBubblewrap } from "./launch/find-bubblewrap.ts";
import { defaultLimits } from "./limits.ts";
import type { SandboxOptions } from "./options.ts";
import { closedSourcesIn } from "./protect/closed-sources.ts";
import { type SweptRuns, sweepRuns } from "./protect/held-run.ts";
import type { QuarantinedItem } from "./quarantine/quarantine.ts";
import { assembleFilter } from "./seccomp/assemble-filter.ts";
import { systemCallsOf } from "./seccomp/syscall-numbers.ts";
import { testSandbox } from "./self-test/test-sandbox.ts";

/**
 * The sandbox of Linux: bubblewrap with namespaces for all there is, and a filter of system calls of our own.
 * Nothing is done until it is used first; then what killed runs have left is cleared away.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  let ready: Promise<Ready> | undefined;
  let tested: Promise<Isolation> | undefined;
  /** What killed runs had left: reported with the first command. */
  const untold: { left: readonly string[]; moved: readonly QuarantinedItem[] } = { left: [], moved: [] };
  const prepareOnce = async (): Promise<Ready> => {
    ready ??= prepare(options).then((found) => {
      if (found.type === "ready") Object.assign(untold, found.swept);
      return found;
    });
    return await ready;
  };
  return {
    test: async () => {
      tested ??= prepareOnce().then(async (found) => (found.type === "none" ? found : await testSandbox(found.parts)));
      return await tested;
    },
    enter: async (request) => {
      const found = await prepareOnce();
      if (found.type === "none") {
        const hint = "Install bubblewrap, or let commands run without isolation in the configuration of your own.";
        throw new AppError("sandbox.failed", `Commands cannot be kept apart here: ${found.reason}.`, { hint });
      }
      const program = await enterSandbox(request, found.parts);
      return {
        ...program,
        finish: async () => {
          const { runsLater, quarantined, refusedHosts } = await program.finish();
          const { left, moved } = untold;
          Object.assign(untold, { left: [], moved: [] });
          return {
            runsLater: [...left, ...runsLater],
            quarantined: [...moved.map(({ id, path }) => ({ id, path })), ...quarantined],
            refusedHosts,
          };
        },
      };
    },
    endSession: async (session) => {
      const found = await ready;
      if (found?.type === "ready") found.parts.holdings.endSession(session);
    },
  };
}

type Ready =
  | { readonly type: "ready"; readonly parts: SandboxParts; readonly swept: SweptRuns }
  | { readonly type: "none"; readonly reason: string };

async function prepare(options: SandboxOptions): Promise<Ready> {
  if (process.platform !== "linux")
    return { type: "none", reason: `bubblewrap is for Linux, and this is ${process.platform}` };
  const calls = systemCallsOf(process.arch);
  if (calls === undefined) return { type: "none", reason: `no filter of system calls is known for ${process.arch}` };
  const found = findBubblewrap(options);
  if (found.type === "missing") return { type: "none", reason: found.reason };
  const limits = { ...defaultLimits, ...options.limits };
  const { path: bubblewrap } = found;
  const held = { options, bubblewrap, filter: assembleFilter(calls), limits, calls, secrets: systemSecrets() };
  try {
    mkdirSync(options.stateDirectory, { recursive: true, mode: 0o700 });
    closedSourcesIn(options.stateDirectory);
    const swept = await sweepRuns(options.stateDirectory, true);
    return { type: "ready", parts: { ...held, holdings: new Holdings(held) }, swept };
  } catch (error) {
    return { type: "none", reason: `${options.stateDirectory} cannot be used: ${messageOf(error)}` };
  }
}
