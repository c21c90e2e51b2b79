import { runBounded } from "../launch/run-bounded.ts";
import { coverArguments, systemArguments } from "../layout/system-folders.ts";
import type { InertGit } from "../options.ts";

export interface HeadQuestion {
  readonly workTree: string;
  /** Its `.git`, and the folders that this leads to. */
  readonly repository: readonly string[];
  /** From the work tree, with `/`. */
  readonly paths: readonly string[];
}

export interface GitRunner {
  readonly git: () => Promise<InertGit>;
  /** The real path of `bwrap`. */
  readonly bubblewrap: string;
  /** Paths of the system at which nothing is to be read. */
  readonly secrets: readonly string[];
}

/**
 * The files that the last commit holds at these paths: object ids by path. Git is asked apart from everything: it sees the system and the
 * repository, can change nothing, and has neither network nor home. Where it fails, nothing is known.
 */
export async function blobsOfHead(
  { workTree, repository, paths }: HeadQuestion,
  { git, bubblewrap, secrets }: GitRunner,
): Promise<ReadonlyMap<string, string>> {
  const { settings, environment: inert } = await git();
  const environment = { ...inert, ...ownEnvironment };
  const groups: readonly (readonly string[])[] = [
    ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    systemArguments(),
    secrets.flatMap(coverArguments),
    repository.flatMap((path) => ["--ro-bind", path, path]),
    ["--dev", "/dev", "--remount-ro", "/", "--chdir", workTree, "--clearenv"],
    Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ["--", "git", ...settings, "ls-tree", "-z", "--full-tree", "HEAD", "--", ...paths],
  ];
  const ended = await runBounded(bubblewrap, groups.flat(), []);
  if (ended.type === "failed" || ended.exitCode !== 0) return new Map();
  return new Map(Buffer.from(ended.output).toString("utf8").split("\0").flatMap(readEntry));
}

const ownEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  // What anybody could put in the place of a commit is none.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_LITERAL_PATHSPECS: "1",
};

/** `100644 blob ID<tab>PATH`; links and submodules are no files. */
function readEntry(line: string): readonly (readonly [string, string])[] {
  const [, id, path] = /^100(?:644|755) blob ([0-9a-f]{40,64})\t(.+)$/s.exec(line) ?? [];
  return id === undefined || path === undefined ? [] : [[path, id]];
}
