/** The package as a user gets it: packed, and installed with `npm install --global` into an empty prefix. */
import { execFile } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A Node, and the npm that goes with the tests. */
export interface Runtime {
  /** Absolute path of the program. */
  readonly node: string;
}

/** The versions that the package promises to run on, besides the one that runs the tests. Exact: a test must not change by itself. */
export const otherNodes: readonly string[] = ["22.23.3", "24.21.0"];

/** Gets a version of Node from the registry, as a package of its own. @returns the program */
export async function fetchNode(version: string, folder: string): Promise<Runtime> {
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  await run("npm", ["install", ...quiet, "--ignore-scripts", "--prefix", folder, `${name}@${version}`]);
  return { node: join(folder, "node_modules", name, "bin", "node") };
}

/** One installation of the packed package. */
export class Installed {
  readonly prefix: string;
  readonly #runtime: Runtime;
  readonly #home: string;

  /** @param home  an empty folder in the place of the user's */
  constructor(runtime: Runtime, prefix: string, home: string) {
    this.#runtime = runtime;
    this.prefix = prefix;
    this.#home = home;
    mkdirSync(home, { recursive: true });
  }

  get environment(): Readonly<Record<string, string>> {
    const path = `${join(this.prefix, "bin")}:${dirname(this.#runtime.node)}:${process.env["PATH"] ?? ""}`;
    return { PATH: path, HOME: this.#home, TERM: "dumb" };
  }

  async npm(...words: readonly string[]): Promise<string> {
    const { stdout } = await run(this.#runtime.node, [npmProgram(), ...words, ...quiet, "--prefix", this.prefix], {
      // npm's own cache and configuration stay those of whoever runs the tests.
      env: { ...process.env, PATH: this.environment["PATH"] },
    });
    return stdout;
  }

  /** Runs the program as a shell would find it. */
  async capstan(
    words: readonly string[],
    options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ): Promise<{ readonly stdout: string; readonly stderr: string }> {
    return await run("capstan", [...words], {
      cwd: options.cwd ?? this.#home,
      env: { ...this.environment, ...options.env },
    });
  }
}

const quiet: readonly string[] = ["--silent", "--no-audit", "--no-fund"];

/** npm's own program: run by the Node that is tried, not by the one that its first line finds. */
function npmProgram(): string {
  const found = (process.env["PATH"] ?? "").split(":").flatMap((folder) => {
    try {
      return [realpathSync(join(folder, "npm"))];
    } catch {
      return [];
    }
  });
  const [npm] = found;
  if (npm === undefined) throw new Error("there is no npm on PATH");
  return npm;
}
