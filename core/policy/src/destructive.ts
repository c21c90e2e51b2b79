import type { CommandUse } from "@capstan/protocol";
import { lexForm } from "./lex-form.ts";
import type { JudgedAction } from "./situation.ts";

/**
 * Whether a call may lose something for good: it deletes files, throws away what Git has not stored, forces a push, drops tables or writes over a device.
 * Words count wherever they stand, so that no wrapper hides a program, and a command that cannot be read counts as one that loses something.
 */
export function isDestructive({ paths, command }: JudgedAction): boolean {
  return command === undefined ? paths.some(({ access }) => access === "delete") : losesByCommand(command);
}

function losesByCommand({ form, nested }: CommandUse): boolean {
  const lexed = lexForm(form);
  if (lexed.type === "opaque") return true;
  return [...lexed.commands, ...nested.map(({ words }) => words)].some((words) => losesByWords(words));
}

function losesByWords(words: readonly string[]): boolean {
  const names = words.map((word) => word.slice(word.lastIndexOf("/") + 1));
  if (names.some((name) => losers.has(name) || name.startsWith("mkfs"))) return true;
  if (words.some((word) => statement.test(word))) return true;
  const git = names.indexOf("git");
  return git !== -1 && losesByGit(words.slice(git + 1));
}

/** Of options before the command nothing is known here: its name is looked for behind them. */
function losesByGit(words: readonly string[]): boolean {
  const at = words.findIndex((word) => Object.hasOwn(gitLosers, word));
  if (at === -1) return false;
  const loses = gitLosers[words[at] ?? ""];
  return loses?.(words.slice(at + 1)) === true;
}

const losers: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred truncate wipefs fdisk dd srm rimraf -delete delete destroy prune purge dropdb".split(" "),
);

const statement = /\b(?:drop|truncate)\s+(?:table|database|schema)\b|\bdelete\s+from\b/i;

const gitLosers: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  push: (args) => args.some((word) => /^(?:--force.*|--mirror|--delete|-\w*[fd]\w*|\+.*|:.+)$/.test(word)),
  reset: (args) => args.includes("--hard") || args.includes("--merge"),
  clean: () => true,
  restore: (args) => !args.includes("--staged") || args.includes("--worktree"),
  checkout: (args) => args.includes("--") || args.includes(".") || args.some((word) => /^-(?:f|-force)$/.test(word)),
  switch: (args) => args.some((word) => /^(?:-f|--force|--discard-changes)$/.test(word)),
  branch: (args) => args.some((word) => /^(?:-\w*D\w*|-d|--delete)$/.test(word)),
  tag: (args) => args.some((word) => /^(?:-d|--delete|-f|--force)$/.test(word)),
  stash: ([action]) => action === "drop" || action === "clear",
  "filter-branch": () => true,
  reflog: ([action]) => action === "expire" || action === "delete",
  worktree: ([action]) => action === "remove",
};
