import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { type Isolation, messageOf } from "@capstan/protocol";
import type { Holder } from "../holder/holder.ts";
import { startHolder } from "../holder/start-holder.ts";
import { homeInside } from "../layout/home-inside.ts";
import { realPathOf } from "../layout/real-path.ts";
import { closedSourcesIn } from "../protect/closed-sources.ts";
import type { SandboxParts } from "../enter-sandbox.ts";
import { launchIn, layoutOf, type ProbePlace, startBeside } from "./start-beside.ts";
import { type Attempt, attemptsOn, lacksOfStatus, readStatus, type Target, writeFile } from "./attempts.ts";
import { assembleProbe, type CallResult, type ProbeProgram } from "../machine-code/probe-program.ts";
import { runBounded } from "../launch/run-bounded.ts";

/**
 * Starts a small program in the sandbox that tries what must be impossible, and looks from outside at what came of it.
 * Never throws: what goes wrong is a reason why there is no isolation.
 */
export async function testSandbox(parts: SandboxParts): Promise<Isolation> {
  const token = randomBytes(8).toString("hex");
  const folder = join(parts.options.stateDirectory, `self-test-${token}`);
  const listener = createServer((socket) => socket.destroy());
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const real = realPathOf(folder) ?? folder;
    const port = await listen(listener);
    const holder = await startIn(parts, real);
    const beside = await startBeside(parts, { holder, folder: real }).catch((error: unknown) => {
      holder.close();
      throw error;
    });
    try {
      const target = targetOf(parts, { token, folder: real, port, besideNamespace: beside.namespace });
      return await probe(parts, holder, target);
    } finally {
      await beside.end();
      holder.close();
    }
  } catch (error) {
    return { type: "none", reason: `the self-test failed: ${messageOf(error)}` };
  } finally {
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startIn(parts: SandboxParts, folder: string): Promise<Holder> {
  const closed = closedSourcesIn(parts.options.stateDirectory);
  // A file that was put into its home would look like one of the user's own.
  const { homeFiles: _none, ...options } = parts.options;
  try {
    return await startHolder({ ...parts, options }, { layout: layoutOf(folder), mounts: [], closed });
  } catch (error) {
    throw new Error(`${parts.bubblewrap} cannot start a sandbox: ${messageOf(error)}`, { cause: error });
  }
}

async function probe(parts: SandboxParts, holder: Holder, target: Target): Promise<Isolation> {
  const attempts = attemptsOn(target);
  const written = join(target.folder, "written");
  const status = readStatus();
  const tried = [...status, ...attempts.flatMap((attempt) => attempt.calls), writeFile(written)];
  const program = assembleProbe(parts.calls, process.arch, tried);
  const file = join(target.folder, "probe");
  writeFileSync(file, program.file, { mode: 0o700 });
  const outcome = await run(parts, { holder, folder: target.folder }, { file, program });
  if (outcome.type === "failed") return { type: "none", reason: outcome.reason };
  const { results } = outcome;
  if (!existsSync(written)) return { type: "none", reason: "a program in the sandbox cannot write to its workspace" };
  return verdict([
    ...lacksOfStatus(Buffer.from(results[1]?.filled ?? []).toString("latin1")),
    ...succeeded(attempts, results.slice(status.length)),
    ...removeWritten(target.unwritable),
  ]);
}

type Outcome =
  | { readonly type: "ran"; readonly results: readonly CallResult[] }
  | { readonly type: "failed"; readonly reason: string };

async function run(
  parts: SandboxParts,
  place: ProbePlace,
  { file, program }: { readonly file: string; readonly program: ProbeProgram },
): Promise<Outcome> {
  const launch = launchIn(parts, place, file);
  try {
    const ended = await runBounded(launch.file, launch.args, launch.descriptors);
    if (ended.type === "failed") return ended;
    const results = program.read(ended.output);
    const said = ended.errors === "" ? `it ended with ${ended.exitCode}` : ended.errors;
    return results === undefined
      ? { type: "failed", reason: `${parts.bubblewrap} did not run the self-test: ${said}` }
      : { type: "ran", results };
  } finally {
    await launch.end();
  }
}

function succeeded(attempts: readonly Attempt[], results: readonly CallResult[]): readonly string[] {
  let first = 0;
  return attempts.flatMap((attempt) => {
    const own = results.slice(first, first + attempt.calls.length);
    first += attempt.calls.length;
    return attempt.succeeded(own) ? [attempt.name] : [];
  });
}

function verdict(lacks: readonly string[]): Isolation {
  return lacks.length === 0 ? { type: "enforced" } : { type: "partial", lacks };
}

/** @returns what the program could write, in words */
function removeWritten(paths: readonly string[]): readonly string[] {
  return paths.filter(existsSync).map((path) => {
    rmSync(path, { force: true });
    return `write to ${path}`;
  });
}

function targetOf(
  { options }: SandboxParts,
  {
    token,
    folder,
    port,
    besideNamespace,
  }: {
    readonly token: string;
    readonly folder: string;
    readonly port: number;
    readonly besideNamespace: string;
  },
): Target {
  const home = homeInside(options);
  const name = `.capstan-self-test-${token}`;
  const places = new Set([home, "/", "/etc", "/usr", "/var/tmp", "/tmp", "/run", options.stateDirectory]);
  return {
    pid: process.pid,
    port,
    folder,
    besideNamespace,
    unwritable: [...places].map((place) => join(place, name)),
    unreadable: [
      ...["closed-file", "runs"].map((each) => join(options.stateDirectory, each)),
      ...filesIn(options.home).filter((path) => !folder.startsWith(path)),
    ],
    namespaces: Object.fromEntries(
      ["user", "pid", "net", "mnt", "ipc", "uts"].map((each) => [each, readlinkSync(`/proc/self/ns/${each}`)]),
    ),
  };
}

/** Some of the user's own files: those no toolchain is. */
function filesIn(home: string): readonly string[] {
  try {
    const entries = readdirSync(home, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .slice(0, 3)
      .map((entry) => join(home, entry.name));
  } catch {
    return [];
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address to listen on");
  return address.port;
}
