import { maxConflictFiles, maxSiblings, statCharacters } from "../limits.ts";
import { type GitWork, runGit } from "./run-git.ts";
import { readWorktreeNotes, type WorktreeNote } from "./worktree-note.ts";

/** What an agent changed in a working tree of its own: a branch that somebody reviews and takes over, or not. */
export interface ChangeSet {
  readonly branch: string;
  /** The commit it began at. */
  readonly base: string;
  /** The working tree, as the agent left it. */
  readonly folder: string;
  readonly files: readonly string[];
  /** As `git diff --stat` says. */
  readonly stat: string;
  readonly conflicts: readonly Conflict[];
}

/** Files that cannot be taken over together with something else without a decision. */
export interface Conflict {
  readonly with: string;
  readonly files: readonly string[];
}

interface Places {
  readonly folder: string;
  readonly work: (cwd: string) => GitWork;
}

/** What stands against a branch: what its repository has that is not committed, its commits since, and the branches of other agents of the same caller. */
export async function conflictsOf(
  note: WorktreeNote,
  files: readonly string[],
  { folder, work }: Places,
): Promise<readonly Conflict[]> {
  const repository = work(note.repository);
  const siblings = readWorktreeNotes(folder)
    .filter(({ id, caller, repository: of }) => id !== note.id && caller === note.caller && of === note.repository)
    .slice(-maxSiblings);
  const uncommitted = await uncommittedIn(repository);
  const others = ["HEAD", ...siblings.map(({ branch }) => branch)];
  const merges = await Promise.all(
    others.map(async (other) => ({
      with: other === "HEAD" ? "the repository's commits since" : `the branch ${other}`,
      files: await conflictingFiles(note.branch, other, repository),
    })),
  );
  const own = { with: "what is not committed in the repository", files: files.filter((file) => uncommitted.has(file)) };
  return [own, ...merges].filter((one) => one.files.length > 0);
}

async function uncommittedIn(repository: GitWork): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit(["diff", "--name-only", "-z", "HEAD"], repository);
  const untracked = await runGit(["ls-files", "--others", "--exclude-standard", "-z", "--full-name"], repository);
  return new Set([...stdout.split("\0"), ...untracked.stdout.split("\0")].filter((name) => name !== ""));
}

/** What a merge of two branches could not settle by itself. */
async function conflictingFiles(one: string, other: string, repository: GitWork): Promise<readonly string[]> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", one, other];
  const { code, stdout } = await runGit(args, repository);
  if (code !== 1) return [];
  // The first is the tree of the merge.
  return [...new Set(stdout.split("\0").slice(1))].filter((name) => name !== "");
}

/** For the model that reads the report, and for people. */
export function changeSetText({ branch, base, folder, files, stat, conflicts }: ChangeSet): string {
  const shown = stat.length <= statCharacters ? stat : `${stat.slice(0, statCharacters).toWellFormed()}…`;
  const lines = conflicts.map(({ with: other, files: names }) => {
    const more = names.length - maxConflictFiles;
    return `Conflicts with ${other}: ${names.slice(0, maxConflictFiles).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  });
  return [
    `Changes: ${files.length} ${files.length === 1 ? "file" : "files"} on the branch ${branch} (git diff ${base.slice(0, 12)}..${branch}; git merge ${branch} takes them over). Nothing of the caller's files changed. Working tree: ${folder}`,
    shown,
    ...(lines.length === 0 ? ["No conflicts."] : lines),
  ].join("\n");
}
