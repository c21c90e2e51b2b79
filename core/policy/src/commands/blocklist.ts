import type { NestedCommand, Workspace } from "@capstan/protocol";
import type { LexedScript } from "./lexer.ts";

/** Where a command would start, and what must not be harmed around it. */
export interface Surroundings {
  readonly cwd: string;
  readonly workspace: Workspace;
}

/** A command line as the blocklist reads it. */
export interface BlocklistSubject extends Surroundings {
  readonly lexed: LexedScript;
  readonly nested: readonly NestedCommand[];
  readonly text: string;
}

/**
 * What of a command no rule, grant, trust or `--yolo` lets pass; `undefined`: nothing. Read from what was understood and, where
 * that is not all, from the raw text. A safety net for mistakes, no boundary: whoever wants to get around it can.
 */
export function blockedReason(subject: BlocklistSubject): string | undefined {
  if (forkBomb.test(subject.text)) return "it is a fork bomb";
  return firstOf(wordLists(subject), (words) => dangerOf(words, subject));
}

/** Whether it runs something with other rights: asked about each time. */
export function takesOtherRights(subject: BlocklistSubject): boolean {
  return wordLists(subject).some((words) =>
    words.some((word, at) => elevating.has(nameOf(word)) && isProgram(words, at)),
  );
}

/** A name that starts itself twice over. It begins where no name continues: else every letter of a long word would be a beginning. */
const forkBomb = /(?<![\w:.])([\w:.]+)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*(?:;\s*)?\1/;
const elevating: ReadonlySet<string> = new Set(["sudo", "doas", "pkexec", "su"]);
const endings: ReadonlySet<string> = new Set(["shutdown", "reboot", "halt", "poweroff"]);

/** Programs that run the rest of their words, and what may stand in front of a program. */
const carriers: ReadonlySet<string> = new Set(
  "sudo doas pkexec env nice ionice nohup time timeout stdbuf setsid command exec builtin busybox xargs then do else if while until !".split(
    " ",
  ),
);

function isProgram(words: readonly string[], at: number): boolean {
  const before = words.slice(0, at);
  return before.every(
    (word, index) => carriers.has(nameOf(word)) || (index > 0 && isSetting(word)) || isAssignment(word),
  );
}

function isSetting(word: string): boolean {
  return word.startsWith("-") || /^\d+[smhd]?$/.test(word);
}

function isAssignment(word: string): boolean {
  return /^\w+=/.test(word);
}

function wordLists({ lexed, nested, text }: BlocklistSubject): readonly (readonly string[])[] {
  const understood = lexed.type === "plain" ? lexed.commands : rawCommands(text);
  return [...understood, ...nested.map(({ words }) => words)];
}

/** Words of every part of a text that is not understood, quotes left out. */
function rawCommands(text: string): readonly (readonly string[])[] {
  const plain = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => `$${name}`);
  return plain.split(/[;&|\n(){}`]+/).map((segment) =>
    segment
      .replaceAll(/["'\\]/g, "")
      .trim()
      .split(/\s+/),
  );
}

function dangerOf(words: readonly string[], around: Surroundings): string | undefined {
  // What carries it, each with options of its own, stands before it.
  const start = words.findIndex(
    (word, at) => isProgram(words, at) && !carriers.has(nameOf(word)) && !isAssignment(word) && !isSetting(word),
  );
  const [program = "", ...args] = start === -1 ? [] : words.slice(start);
  return danger(nameOf(program), args, around);
}

function danger(name: string, args: readonly string[], around: Surroundings): string | undefined {
  const [target] = args.filter((word) => !word.startsWith("-")).flatMap((word) => harmed(word, around));
  if (target !== undefined && removes(name, args)) return `it would remove ${target}`;
  if (target !== undefined && /^ch(?:mod|own|grp)$/.test(name) && args.some(isForAll))
    return `it would change the rights of ${target}`;
  if (/^mkfs(?:\.\w+)?$/.test(name)) return "it would make a new file system";
  if (name === "dd" && args.some((word) => /^of=\/dev\/(?!null$|zero$|std(?:out|err)$|full$)/.test(word)))
    return "it would write to a device";
  return stopsMachine(name, args) ? "it would stop the machine" : undefined;
}

function removes(name: string, args: readonly string[]): boolean {
  return (name === "rm" && args.some(isRecursive)) || (name === "find" && removesFound(args));
}

function isForAll(word: string): boolean {
  return /^(?:-[^-]*R|--recursive)/.test(word);
}

function stopsMachine(name: string, args: readonly string[]): boolean {
  if (endings.has(name)) return true;
  if (name === "init" || name === "telinit") return ["0", "6"].includes(args[0] ?? "");
  return name === "systemctl" && args.some((word) => /^(?:poweroff|reboot|halt|kexec)$/.test(word));
}

function isRecursive(word: string): boolean {
  return /^-[A-Za-z]*[rR]/.test(word) || word.startsWith("--recu");
}

function removesFound(args: readonly string[]): boolean {
  return (
    args.includes("-delete") ||
    args.some((word, at) => /^-(?:exec|ok)(?:dir)?$/.test(word) && nameOf(args[at + 1] ?? "") === "rm")
  );
}

/** Names of a target whose loss would be more than the work in hand: the root, a home, a folder above the workspace. */
function harmed(word: string, { cwd, workspace }: Surroundings): readonly string[] {
  const written = word.replaceAll(/["']/g, "");
  if (/^(?:~\w*|\$HOME|\$\{HOME\})\/?(?:\*|\.\*|\.)?$/.test(written)) return ["the home"];
  const place = placeOf(written.replace(/\/(?:\*|\.\*|\.\[.*)$/, "/"), cwd);
  if (place === "/") return ["everything (/)"];
  if (/^\/(?:root|home\/[^/]+|Users\/[^/]+)$/.test(place)) return [`the home ${place}`];
  return workspace.roots.some((root) => root.startsWith(`${place}/`)) ? [`${place}, which holds the workspace`] : [];
}

/** The absolute path that a word means, `.` and `..` taken textually. */
function placeOf(word: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of (word.startsWith("/") ? word : `${cwd}/${word}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
