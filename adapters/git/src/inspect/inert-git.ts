import type { Git, GitAnswer, GitRequest, GitWhere } from "@capstan/ports";
import { gitTimeoutMs, maxNamesBytes } from "../limits.ts";
import { blankDrivers, inertSettings, inertVariables, type Setting } from "./inert-settings.ts";
import { runGit } from "./run-git.ts";

/**
 * Git as its contract says. Settings go by variables, so that a command line is what people read.
 * @param home  the user's: who they are, and what they ignore
 */
export function openGit(home: string): Git {
  const bare = { ...inertVariables, HOME: home, GIT_OPTIONAL_LOCKS: "0" };
  const environmentOf = (searchPath: string, settings: readonly Setting[]): Readonly<Record<string, string>> => ({
    ...bare,
    PATH: searchPath,
    ...asVariables(settings),
  });
  const blanks = async (
    { cwd, searchPath }: GitWhere,
    isRead: boolean,
    signal: AbortSignal,
  ): Promise<readonly Setting[]> => {
    const asked = {
      args: ["config", "--list", "--name-only", "--null"],
      cwd,
      searchPath,
      timeoutMs: gitTimeoutMs,
      maxStdoutBytes: maxNamesBytes,
      maxStderrBytes: maxNamesBytes,
    };
    const { stdout } = await runGit({ ...asked, environment: environmentOf(searchPath, inertSettings) }, signal);
    return blankDrivers(
      stdout.split("\0").filter((name) => name !== ""),
      isRead,
    );
  };
  return {
    async read(request: GitRequest, signal: AbortSignal): Promise<GitAnswer> {
      const settings = [...inertSettings, ...(await blanks(request, true, signal))];
      return await runGit({ ...request, environment: environmentOf(request.searchPath, settings) }, signal);
    },
    async inertVariables(where, signal) {
      return { ...inertVariables, ...asVariables([...inertSettings, ...(await blanks(where, false, signal))]) };
    },
  };
}

/** They count as those of a command line do: more than any file. */
function asVariables(settings: readonly Setting[]): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
