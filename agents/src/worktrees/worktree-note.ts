import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@capstan/protocol";

/** A working tree of an agent's own, as a file beside it says: for this process and those after it. */
export interface WorktreeNote {
  /** Of the agent's session. */
  readonly id: string;
  /** The session that called it. */
  readonly caller: string;
  /** Where its caller works; the agent's settings are those of this folder. */
  readonly callerCwd: string;
  /** The root of the working tree that it was made from. */
  readonly repository: string;
  /** The commit it began at. */
  readonly base: string;
  readonly branch: string;
  /** The agent's folder in it, like its caller's in the repository. */
  readonly cwd: string;
}

const fields = ["id", "caller", "callerCwd", "repository", "base", "branch", "cwd"] as const;

export function writeWorktreeNote(folder: string, note: WorktreeNote): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = notePath(folder, note.id);
  writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeWorktreeNote(folder: string, id: string): void {
  rmSync(notePath(folder, id), { force: true });
}

export function readWorktreeNote(folder: string, id: string): WorktreeNote | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(notePath(folder, id), "utf8"));
    return isJsonObject(value) && fields.every((name) => typeof value[name] === "string") ? asNote(value) : undefined;
  } catch {
    return undefined;
  }
}

export function readWorktreeNotes(folder: string): readonly WorktreeNote[] {
  try {
    return readdirSync(folder).flatMap((name) =>
      name.endsWith(".json") ? (readWorktreeNote(folder, name.slice(0, -5)) ?? []) : [],
    );
  } catch {
    return [];
  }
}

/** The note of the working tree that a folder belongs to. */
export function worktreeOf(folder: string, cwd: string): WorktreeNote | undefined {
  if (!cwd.startsWith(`${folder}/`)) return undefined;
  return readWorktreeNote(folder, cwd.slice(folder.length + 1).split("/")[0] ?? "");
}

function asNote(value: Readonly<Record<string, unknown>>): WorktreeNote {
  const text = (name: (typeof fields)[number]): string => String(value[name]);
  return {
    id: text("id"),
    caller: text("caller"),
    callerCwd: text("callerCwd"),
    repository: text("repository"),
    base: text("base"),
    branch: text("branch"),
    cwd: text("cwd"),
  };
}

function notePath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}
