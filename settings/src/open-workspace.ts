import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError, messageOf, type Workspace } from "@capstan/protocol";

/**
 * The directories a session may touch, as real paths.
 * @param roots  the configured roots and those added by flag, relative to `cwd`
 * @throws {AppError} `usage.workspace-missing`
 */
export async function openWorkspace(cwd: string, roots: readonly string[]): Promise<Workspace> {
  const real = await realDirectory(cwd);
  const others = await Promise.all(roots.map((root) => realDirectory(resolve(real, root))));
  return { cwd: real, roots: [...new Set([real, ...others])] };
}

async function realDirectory(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    const why = isMissing(error) ? "" : ` (${messageOf(error)})`;
    throw new AppError("usage.workspace-missing", `there is no directory ${path}${why}`, {
      cause: error,
      hint: "Check the path given with -C or --add-dir.",
    });
  }
  throw new AppError("usage.workspace-missing", `${path} is not a directory`, {
    hint: "Check the path given with -C or --add-dir.",
  });
}

/** The sentence says it already. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
