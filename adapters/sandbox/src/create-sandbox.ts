import { cachePlaces } from "./caches/cache-places.ts";
import { systemFolders } from "./layout/system-folders.ts";
import { toolchainsOf } from "./layout/toolchains.ts";
import { mkdirSync } from "node:fs";
import type { Sandbox } from "@capstan/ports";
import { AppError, type Isolation, messageOf } from "@capstan/protocol";
import { enterSandbox, type SandboxParts } from "./enter-sandbox.ts";
import { CommittedFiles } from "./committed/committed-files.ts";
import { Holdings } from "./holder/holdings.ts";
import { systemSecrets } from "./layout/system-folders.ts";
import { findBubblewrap } from "./launch/find-bubblewrap.ts";
import { defaultLimits } from "./limits.ts";
import type { SandboxOptions } from "./options.ts";
import { closedSourcesIn } from "./protect/closed-sources.ts";
import type { BuildEntries } from "./build/find-build-folders.ts";
import { TreeMemory } from "./protect/folder-memory.ts";
import { sweepRuns } from "./protect/held-run.ts";
import type { FolderSurvey } from "./protect/survey.ts";
import { Unreported } from "./unreported.ts";
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
  const prepareOnce = async (): Promise<Ready> => {
    ready ??= prepare(options);
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
      return await enterSandbox(request, found.parts);
    },
    endSession: async (session) => {
      const found = await ready;
      if (found?.type === "ready") found.parts.holdings.endSession(session);
    },
  };
}

type Ready =
  | { readonly type: "ready"; readonly parts: SandboxParts }
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
  const secrets = systemSecrets();
  const { git } = options;
  const committed = new CommittedFiles(git === undefined ? undefined : { git, bubblewrap, secrets });
  const readable = toolchainsOf(options, systemFolders).map(({ path }) => path);
  const caches = cachePlaces(options, readable);
  const held = { caches, options, bubblewrap, filter: assembleFilter(calls), limits, calls, secrets, committed };
  try {
    mkdirSync(options.stateDirectory, { recursive: true, mode: 0o700 });
    closedSourcesIn(options.stateDirectory);
    const unreported = await sweepRuns(options, true);
    const memories = { surveyed: new TreeMemory<FolderSurvey>(), built: new TreeMemory<BuildEntries>() };
    const parts = { ...held, ...memories, holdings: new Holdings(held), unreported: new Unreported(unreported) };
    return { type: "ready", parts };
  } catch (error) {
    return { type: "none", reason: `${options.stateDirectory} cannot be used: ${messageOf(error)}` };
  }
}
