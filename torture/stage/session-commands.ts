import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openArchive } from "@capstan/host";
import { AppError, toSessionId } from "@capstan/protocol";
import { type PrintedEvent, printedEvents } from "../checker/evidence.ts";
import { type CapstanEnd, startCapstan } from "./capstan-process.ts";
import type { Place } from "./place.ts";

/** The journal as `sessions show --json` prints it; empty when there is no such session. */
export async function readJournal(entry: string, place: Place, sessionId: string): Promise<readonly PrintedEvent[]> {
  const { code, lines } = await capstan(entry, place, ["sessions", "show", sessionId, "--json"]);
  return code === 0 ? printedEvents(lines) : [];
}

/** The journals of the session's agents, and of theirs. */
export async function readAgents(
  entry: string,
  place: Place,
  sessionId: string,
): Promise<readonly (readonly PrintedEvent[])[]> {
  const { code, lines } = await capstan(entry, place, ["sessions", "tree", sessionId, "--json"]);
  if (code !== 0) return [];
  const ids = lines.map((line): unknown => JSON.parse(line)?.id).filter((id) => typeof id === "string");
  return await Promise.all(ids.filter((id) => id !== sessionId).map((id) => readJournal(entry, place, id)));
}

/**
 * The type of the last record a killed process left; `null`: there is no session yet. Read from a copy: looking must not repair
 * what recovery is to find.
 */
export async function lastRecordType(place: Place, sessionId: string): Promise<string | null> {
  if (!existsSync(place.data)) return null;
  const copy = join(place.folder, "copy");
  // Of the database and its log alone: commands leave pipes beside them, which cannot be copied.
  cpSync(place.data, copy, { recursive: true, filter: (path) => path === place.data || /\.db[^/]*$/.test(path) });
  const archive = await openArchive({ home: copy });
  try {
    const events = await archive.read(toSessionId(sessionId));
    return events.at(-1)?.record.type ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === "session.unknown") return null;
    throw error;
  } finally {
    await archive.close();
    rmSync(copy, { recursive: true });
  }
}

/** What `doctor` objects to; `null`: nothing, or this binary has no such command. */
export async function askDoctor(entry: string, place: Place, sessionId: string): Promise<string | null> {
  const { code, lines, stderr } = await capstan(entry, place, ["doctor", sessionId]);
  if (code === 0 || stderr.includes("unknown command 'doctor'")) return null;
  return `doctor exits ${code}: ${lines.join(" ")} ${stderr}`.trim();
}

function capstan(entry: string, place: Place, args: readonly string[]): Promise<CapstanEnd> {
  const command = [process.execPath, entry];
  return startCapstan({ command, args, cwd: place.workspace, env: place.environment({}) }).ended;
}
