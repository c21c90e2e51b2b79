import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import type { CachePlace } from "../caches/cache-places.ts";
import { bytesOf } from "@capstan/byte-paths";
import { cacheNameOf, keepCaches } from "../caches/keep-caches.ts";
import type { KeptCache } from "../caches/kept-cache.ts";
import { tidyCaches } from "../caches/tidy-caches.ts";
import type { CommittedFiles } from "../committed/committed-files.ts";
import type { Layout } from "../layout/check-layout.ts";
import { holderArguments, type HolderProfile, type Mount } from "../layout/profile.ts";
import { openAnonymousFile, openAnonymousProgram } from "../launch/anonymous-file.ts";
import { readLaunchStatus } from "../launch/launch-status.ts";
import { holderStartTimeoutMs, selfTestOutputBytes } from "../limits.ts";
import { assembleStarter } from "../machine-code/starter-program.ts";
import type { SandboxLimits, SandboxOptions } from "../options.ts";
import type { ClosedSources } from "../protect/closed-sources.ts";
import type { SystemCalls } from "../seccomp/syscall-numbers.ts";
import { Holder } from "./holder.ts";
import { holderProgram, joinProgram } from "./own-programs.ts";

/** What every holder needs and none changes. */
export interface HolderParts {
  readonly options: SandboxOptions;
  /** The real path of `bwrap`. */
  readonly bubblewrap: string;
  readonly filter: Uint8Array;
  readonly limits: SandboxLimits;
  readonly calls: SystemCalls;
  /** Paths of the system at which nothing is to be read. */
  readonly secrets: readonly string[];
  readonly committed: CommittedFiles;
  /** What package managers fill. */
  readonly caches: readonly CachePlace[];
}

/** Where our own programs lie in a holder. */
export const holderPaths = {
  bubblewrap: "/run/capstan-bwrap",
  starter: "/run/capstan-start",
  first: "/run/capstan-first",
  closedFile: "/run/capstan-closed-file",
  closedFolder: "/run/capstan-closed-folder",
} as const;

/**
 * Makes a holder. Its first process only waits until its namespaces are open here, and ends.
 * @throws Error with what `bwrap` said, nothing left behind
 */
export async function startHolder(
  parts: HolderParts,
  {
    layout,
    mounts,
    closed,
  }: { readonly layout: Layout; readonly mounts: readonly Mount[]; readonly closed: ClosedSources },
): Promise<Holder> {
  const { options, calls, limits } = parts;
  const directory = options.stateDirectory;
  const opened: number[] = [];
  const open = (content: Uint8Array): number => {
    opened.push(openAnonymousFile(directory, content));
    return opened.length - 1 + firstDescriptor;
  };
  try {
    const status = open(new Uint8Array());
    const programs = [
      { path: holderPaths.starter, file: assembleStarter(calls, process.arch, limits) },
      { path: holderPaths.first, file: holderProgram(calls, process.arch) },
    ].map(({ path, file }) => ({ path, descriptor: open(file) }));
    const homeFiles = ((await options.homeFiles?.()) ?? []).map(({ path, content }) => ({
      path,
      descriptor: open(Buffer.from(content)),
    }));
    const caches = cachesOf(parts, layout);
    const profile = {
      options,
      limits,
      layout,
      caches,
      secrets: parts.secrets,
      mounts,
      programs,
      homeFiles,
      shown: shownIn(parts, closed),
      status,
    };
    const zero = String.fromCharCode(0);
    const written = open(
      bytesOf(
        holderArguments(profile)
          .map((argument) => `${argument}${zero}`)
          .join(""),
      ),
    );
    const child = spawn(parts.bubblewrap, ["--args", String(written), "--", holderPaths.first], {
      stdio: ["pipe", "pipe", "pipe", ...opened],
      env: {},
      cwd: "/",
      detached: true,
    });
    try {
      await untilReady(child);
      const { pid } = readLaunchStatus(opened[status - firstDescriptor] ?? -1);
      if (pid === undefined) throw new Error("bwrap does not say what it has started");
      return holderOf(pid, parts, closed);
    } finally {
      await end(child);
    }
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

const firstDescriptor = 3;

function shownIn({ bubblewrap }: HolderParts, closed: ClosedSources): HolderProfile["shown"] {
  return [
    { source: bubblewrap, path: holderPaths.bubblewrap },
    { source: closed.file, path: holderPaths.closedFile },
    { source: closed.folder, path: holderPaths.closedFolder },
  ];
}

function cachesOf({ options, caches }: HolderParts, { roots }: Layout): readonly KeptCache[] {
  const { cacheDirectory } = options;
  if (cacheDirectory === undefined) return [];
  const inUse = cacheNameOf(roots);
  const kept = keepCaches(cacheDirectory, inUse, caches);
  // Nobody waits for it; what it cannot do, the next does.
  void tidyCaches(cacheDirectory, { inUse }).catch(() => undefined);
  return kept;
}

function holderOf(pid: number, { options, calls, filter }: HolderParts, closed: ClosedSources): Holder {
  const directory = options.stateDirectory;
  const opened: number[] = [];
  const keep = (descriptor: number): number => {
    opened.push(descriptor);
    return descriptor;
  };
  const namespace = (name: string): number => keep(openSync(`/proc/${pid}/ns/${name}`, constants.O_RDONLY));
  try {
    const descriptors = {
      program: keep(openAnonymousProgram(directory, joinProgram(calls, process.arch))),
      user: namespace("user"),
      network: namespace("net"),
      mounts: namespace("mnt"),
      filter: keep(openAnonymousFile(directory, filter)),
    };
    const sources = new Map([
      [closed.file, holderPaths.closedFile],
      [closed.folder, holderPaths.closedFolder],
    ]);
    return new Holder(descriptors, { calls, directory, sources });
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}

/** @throws Error with what it said when it ends before, or does not come so far in time */
async function untilReady(child: ChildProcess): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    if (said.length < selfTestOutputBytes) said += chunk.toString("utf8");
  });
  child.stdin?.on("error", () => undefined);
  child.on("error", (error) => (said += error.message));
  const limit = AbortSignal.timeout(holderStartTimeoutMs);
  const ended = once(child, "close").then(
    () => "ended" as const,
    () => "ended" as const,
  );
  const ready =
    child.stdout === null ? ended : once(child.stdout, "data", { signal: limit }).then(() => "ready" as const);
  const first = await Promise.race([ended, ready.catch(() => "late" as const)]);
  if (first === "ready") return;
  if (first === "late") throw new Error(`bwrap did not start within ${holderStartTimeoutMs / 1000} s`);
  throw new Error(said.trim().split("\n").slice(0, 3).join(" ") || `bwrap ended with ${child.exitCode}`);
}

/** Its work is done, or it never will be. */
async function end(child: ChildProcess): Promise<void> {
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
