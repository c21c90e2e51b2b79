import { realpath } from "node:fs/promises";
import { extname, resolve } from "node:path";
import type { Sandbox } from "@capstan/ports";
import { AppError, type Isolation } from "@capstan/protocol";
import { askGit } from "@capstan/git";
import type { FileProblems } from "./problems/problem.ts";
import {
  type Configured,
  loadLanguageServers,
  namedLanguageServers,
  searchPathOf,
  whyNone,
} from "./open-language-servers.ts";

/** What language servers say of files. */
export interface ProblemList {
  readonly files: readonly FileProblems[];
  /** Files that no server is named for, or that one said nothing about. */
  readonly unseen: readonly string[];
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

/** Seconds beyond a server's own time to start: a large project is read first. */
const patienceMs = 60_000;

/**
 * Starts the servers of the configuration, asks them about files, and ends them.
 * @param names  relative to the working directory; none: what differs from the last commit, and what git does not know yet
 * @throws AppError `usage.invalid`, `config.invalid`
 */
export async function listProblems(
  settings: Configured,
  { sandbox, isolation }: { readonly sandbox: Sandbox; readonly isolation: Isolation },
  names: readonly string[],
): Promise<ProblemList> {
  const named = namedLanguageServers(settings);
  if (named.length === 0)
    throw new AppError("usage.invalid", "the configuration names no language server", {
      hint: "See docs/language-servers.md, or `capstan config explain language_servers.typescript.command`.",
    });
  const why = whyNone(settings, isolation);
  if (why !== null)
    throw new AppError("usage.invalid", `no language server is started: ${why}`, {
      hint: settings.trust.trusted ? "Try: capstan doctor" : "Try: capstan trust add",
    });
  const isNamed = (path: string): boolean =>
    named.some(({ extensions }) => extensions.includes(extname(path).toLowerCase()));
  const paths =
    names.length > 0
      ? await realPaths(settings.workspace.cwd, names)
      : (await changedFiles(settings)).filter((path) => isNamed(path));
  const servers = await loadLanguageServers(settings, { sandbox });
  try {
    const longest = Math.max(...named.map(({ startupTimeoutMs }) => startupTimeoutMs));
    const files = await servers.look(paths, AbortSignal.timeout(longest + patienceMs));
    const seen = new Set(files.map(({ path }) => path));
    return { files, unseen: paths.filter((path) => !seen.has(path)), failures: servers.failures() };
  } finally {
    await servers.end();
  }
}

async function realPaths(cwd: string, names: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(
    names.map(async (name) => {
      try {
        return await realpath(resolve(cwd, name));
      } catch {
        throw new AppError("usage.invalid", `there is no file ${JSON.stringify(name)} here`, {
          hint: "Name files of this folder; without any, those that differ from the last commit are asked about.",
        });
      }
    }),
  );
}

/** @throws AppError `usage.invalid` where git does not know the folder */
async function changedFiles(settings: Configured): Promise<readonly string[]> {
  const { cwd } = settings.workspace;
  const place = { cwd, searchPath: searchPathOf(settings), environment: { HOME: settings.env["HOME"] ?? "" } };
  const asked = await Promise.all([
    askGit(
      ["diff", "--name-only", "--no-ext-diff", "--no-textconv", "--diff-filter=d", "--relative", "-z", "HEAD"],
      place,
    ),
    askGit(["ls-files", "--others", "--exclude-standard", "-z"], place),
  ]);
  const names = asked.flatMap((text) => (text === undefined ? [] : text.split("\0"))).filter((name) => name !== "");
  if (asked.every((text) => text === undefined))
    throw new AppError("usage.invalid", "this folder is no git repository, so that nothing says which files changed", {
      hint: "Name the files: capstan problems src/main.ts",
    });
  return await realPaths(cwd, [...new Set(names)]);
}
