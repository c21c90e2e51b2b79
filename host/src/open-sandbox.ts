import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Sandbox } from "@capstan/ports";
import { AppError, type Isolation, type SandboxSettings } from "@capstan/protocol";
import type { SandboxOptions } from "@capstan/sandbox";
import { withTrustedPath } from "@capstan/tools";
import { type DataDirectory, homeDirectory, protectedPatterns, sandboxSettings } from "@capstan/settings";
import type { Settings } from "./load-settings.ts";
import { proxyFor } from "./proxy-for.ts";
import { rememberingTest } from "./remembered-test.ts";

const bytesPerMib = 1024 * 1024;

/**
 * The sandbox of commands; its code loads, and anything is tried, when it is first asked for. A self-test that was passed before, on
 * this machine as it runs now, is not waited for at the start, but made again before the first command.
 */
export function openSandbox(settings: Settings, data: DataDirectory): Sandbox {
  const options = sandboxOptions(settings, data);
  const { home, hidden, stateDirectory, searchPath, node } = options;
  const reported = { home, hidden, node, ...options.limits };
  const sandbox = rememberingTest(untestedSandbox(options), {
    file: join(stateDirectory, "self-test-passed"),
    searchPath,
    options: reported,
  });
  return {
    test: async () => {
      await clearLeft(options);
      return await sandbox.test();
    },
    enter: (request) => sandbox.enter(request),
    endSession: (session) => sandbox.endSession(session),
  };
}

/** What killed runs left in workspaces is put in order at the next start, and reported with the first command; the sandbox's code is loaded only where there may be something. */
async function clearLeft(options: SandboxOptions): Promise<void> {
  if (!hasNotes(options.stateDirectory)) return;
  const { sweepRuns } = await import("@capstan/sandbox");
  await sweepRuns(options, false);
}

function hasNotes(stateDirectory: string): boolean {
  try {
    return readdirSync(join(stateDirectory, "runs")).length > 0;
  } catch {
    return false;
  }
}

/** What the self-test finds now, whatever it found before. */
export async function testSandbox(settings: Settings, data: DataDirectory): Promise<Isolation> {
  return await untestedSandbox(sandboxOptions(settings, data)).test();
}

function untestedSandbox(options: SandboxOptions): Sandbox {
  let made: Promise<Sandbox> | undefined;
  const get = (): Promise<Sandbox> =>
    (made ??= import("@capstan/sandbox").then(({ createSandbox }) => createSandbox(options)));
  return {
    test: async () => (await get()).test(),
    enter: async (request) => (await get()).enter(request),
    endSession: async (session) => (await made)?.endSession(session),
  };
}

/** What the configuration and the user's environment mean for the sandbox. */
function sandboxOptions({ env, loaded, workspace }: Settings, data: DataDirectory): SandboxOptions {
  const { sandbox } = loaded.values;
  const home = homeOf(env);
  return {
    home,
    stateDirectory: join(data.root, "sandbox"),
    hidden: [data.root],
    cacheDirectory: join(data.root, "caches"),
    deniedPatterns: protectedPatterns(loaded.values),
    buildFolders: sandbox.build_folders,
    readable: sandbox.readable.map((path) => resolve(home, path.replace(/^~(?=\/|$)/, home))),
    limits: {
      processes: sandbox.max_processes,
      memoryBytes: sandbox.max_memory_mb * bytesPerMib,
      fileBytes: sandbox.max_file_mb * bytesPerMib,
      temporaryBytes: sandbox.tmp_mb * bytesPerMib,
    },
    searchPath: env["PATH"] ?? "",
    open: workspace.roots,
    homeFiles: async () => {
      const { userGitFiles } = await import("@capstan/git");
      const { PATH: trusted = "" } = withTrustedPath({ PATH: env["PATH"] ?? "" }, workspace.roots);
      return await userGitFiles({ home, env, searchPath: trusted });
    },
    proxyFor: async (place) => await proxyFor(loaded.values.network, place),
    git: async () => (await import("@capstan/git")).inertGit,
    node: process.execPath,
  };
}

/** The user's home directory. */
export function homeOf(env: Settings["env"]): string {
  return resolve(homeDirectory(env));
}

/** What the sandbox means for decisions where a user is there to be asked. @throws AppError `sandbox.unavailable` */
export async function sandboxFor(settings: Settings, sandbox: Sandbox): Promise<SandboxSettings> {
  const isolation = await isolationFor(settings, sandbox);
  return sandboxSettings(settings.loaded.values, { isolation, askPolicy: "ask" });
}

/**
 * What the self-test finds, where the user wants a sandbox.
 * @throws {AppError} `sandbox.unavailable` when they want nothing without it
 */
export async function isolationFor({ loaded }: Settings, sandbox: Sandbox): Promise<Isolation> {
  const { mode } = loaded.values.sandbox;
  if (mode === "off") return { type: "none", reason: "it is switched off" };
  const isolation = await sandbox.test();
  if (mode === "required" && isolation.type !== "enforced") throw unavailable(isolation);
  return isolation;
}

function unavailable(isolation: Exclude<Isolation, { readonly type: "enforced" }>): AppError {
  const why = isolation.type === "none" ? isolation.reason : `it does not keep apart: ${isolation.lacks.join(", ")}`;
  return new AppError("sandbox.unavailable", `the sandbox is required, and this machine has none: ${why}`, {
    hint: "Install bubblewrap (`apt install bubblewrap`), see `capstan doctor`, or leave `required` out.",
  });
}
