import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { isWithin } from "@capstan/patterns";
import { probeTimeoutMs } from "../limits.ts";

/**
 * Finds a ripgrep that works: the one that came with us, else one on the search path that lies outside the workspace, so
 * that nothing a repository holds is ever run. What was tried is remembered.
 */
export class RipgrepFinder {
  readonly #searchPath: string;
  readonly #tried = new Map<string, Promise<boolean>>();

  constructor(searchPath: string) {
    this.#searchPath = searchPath;
  }

  async find(roots: readonly string[]): Promise<string | undefined> {
    const bundled = await bundledPath();
    if (bundled !== undefined && (await this.#works(bundled))) return bundled;
    const folders = this.#searchPath.split(":").filter((folder) => isAbsolute(folder));
    for (const folder of folders) {
      const path = await realpath(join(folder, "rg")).catch(() => undefined);
      if (path === undefined || roots.some((root) => isWithin(root, path))) continue;
      if (await this.#works(path)) return path;
    }
    return undefined;
  }

  #works(path: string): Promise<boolean> {
    const known = this.#tried.get(path) ?? isUsable(path);
    this.#tried.set(path, known);
    return known;
  }
}

async function bundledPath(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    // No binary was installed for this platform.
    return undefined;
  }
}

const run = promisify(execFile);
/** The first version with all the flags we use. */
const oldestMajor = 13;

async function isUsable(path: string): Promise<boolean> {
  try {
    const { stdout } = await run(path, ["--no-config", "--version"], { env: {}, timeout: probeTimeoutMs });
    return Number(/^ripgrep (\d+)\./.exec(stdout)?.[1] ?? 0) >= oldestMajor;
  } catch {
    return false;
  }
}
