import { DenyPatterns, namesOfPath } from "@capstan/patterns";
import { AppError } from "@capstan/protocol";

/**
 * Whether a path is protected, as the policy and the file tools judge it. The inside of `.git` has its own protection.
 * @param opened  absolute folders that the user chose to work in
 * @throws AppError `config.invalid` for a pattern that cannot be read
 */
export function deniedBy(patterns: readonly string[], opened: readonly string[]): (path: string) => boolean {
  const denied = known.get(patterns) ?? read(patterns);
  known.set(patterns, denied);
  const folders = [...new Set(opened)];
  return (path) => denied.find(namesOfPath(path, folders)) !== undefined;
}

/** They are the same for every command, and reading them takes longer than a small workspace. */
const known = new WeakMap<readonly string[], DenyPatterns>();

function read(patterns: readonly string[]): DenyPatterns {
  const denied = DenyPatterns.read(patterns.filter((pattern) => !pattern.split("/").includes(".git")));
  if (!("problem" in denied)) return denied;
  throw new AppError("config.invalid", `The deny pattern ${JSON.stringify(denied.pattern)}: ${denied.problem}`);
}
