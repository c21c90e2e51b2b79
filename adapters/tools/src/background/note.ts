import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { maxNoteBytes, maxStarted } from "./limits.ts";

/** A command that was started in the background, as its file says, for this process and those after it. */
export interface BackgroundNote {
  /** Unique in its session. */
  readonly id: string;
  readonly runId: string;
  /** The action's. */
  readonly digest: string;
  /** The command as people approved it. */
  readonly summary: string;
  readonly startedAtMs: number;
  /** How it ended, in words; absent: it runs, or the process that ran it was killed. */
  readonly end?: string;
  /** The model, and the user, know that it ended. */
  readonly isReportedToModel: boolean;
  readonly isReportedToUser: boolean;
}

const namePattern = /^background-[1-9]\d{0,3}$/;

/** Whether a text can be the id of one: nothing else becomes part of a path. */
function isBackgroundId(id: string): boolean {
  return namePattern.test(id);
}

export function logPath(folder: string, id: string): string {
  return join(folder, `${id}.log`);
}

/** The notes of a session, in the order the commands were started. */
export function readNotes(folder: string): readonly BackgroundNote[] {
  return namesIn(folder)
    .flatMap((name) => (name.endsWith(".json") && isBackgroundId(name.slice(0, -5)) ? [name.slice(0, -5)] : []))
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .flatMap((id) => readNote(folder, id) ?? []);
}

/**
 * Takes the next free id, for good: it counts on over the processes of a session.
 * @returns `undefined` where a session has started as many as it may
 * @throws the system's error
 */
export function reserveId(folder: string): string | undefined {
  const taken = namesIn(folder).map((name) => numberOf(name.replace(/\.(?:json|log)$/, "")));
  const next = Math.max(0, ...taken) + 1;
  if (next > maxStarted) return undefined;
  const id = `background-${next}`;
  writeFileSync(join(folder, `${id}.json`), "", { flag: "wx", mode: 0o600 });
  return id;
}

/** @throws the system's error */
export function writeNote(folder: string, note: BackgroundNote): void {
  const path = join(folder, `${note.id}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function readNote(folder: string, id: string): BackgroundNote | undefined {
  const path = join(folder, `${id}.json`);
  try {
    if (statSync(path).size > maxNoteBytes) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isJsonObject(value) ? parseNote(id, value) : undefined;
  } catch {
    return undefined;
  }
}

function parseNote(id: string, value: JsonObject): BackgroundNote | undefined {
  const { runId, digest, summary, startedAtMs, end, isReportedToModel, isReportedToUser } = value;
  if (typeof runId !== "string" || typeof digest !== "string" || typeof summary !== "string") return undefined;
  if (typeof startedAtMs !== "number" || !(end === undefined || typeof end === "string")) return undefined;
  const reported = { isReportedToModel: isReportedToModel === true, isReportedToUser: isReportedToUser === true };
  return { id, runId, digest, summary, startedAtMs, ...reported, ...(end === undefined ? {} : { end }) };
}

function numberOf(id: string): number {
  return isBackgroundId(id) ? Number(id.slice("background-".length)) : 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
