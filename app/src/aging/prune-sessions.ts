import { AppError, type EngineClient, type SessionSummary } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { identityHere } from "../asking/local-origin.ts";
import { withStoredSessions } from "../joining/open-client.ts";
import { readSince } from "./read-since.ts";

export interface PruneFlags {
  readonly olderThan: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** A session that was too old, and what became of it. */
interface Pruned {
  readonly sessionId: string;
  readonly title: string;
  readonly updatedAt: number;
  /** `kept`: somebody works in it. */
  readonly state: "would-be-deleted" | "deleted" | "kept";
}

/**
 * `capstan sessions prune --older-than 90d`: names the sessions in which nothing happened since then, and deletes them with `--yes`. One that
 * waits for an answer stays, and those of agents go with their caller.
 */
export async function pruneSessions({ olderThan, yes, json }: PruneFlags): Promise<number> {
  const before = readSince(olderThan, Date.now(), "--older-than");
  return await withStoredSessions(async (client) => {
    const old = (await client.sessions.list()).filter((session) => isOld(session, before));
    const pruned: Pruned[] = [];
    for (const session of old.toReversed()) {
      const { id, title, updatedAt } = session;
      const state = yes === true ? await deleted(client, session) : "would-be-deleted";
      pruned.push({ sessionId: id, title, updatedAt, state });
    }
    for (const each of pruned) print(json === true ? JSON.stringify(each) : lineOf(each));
    if (json !== true) process.stderr.write(`${endOf(pruned, yes === true)}\n`);
    return 0;
  });
}

function isOld({ updatedAt, waiting, spawnedBy }: SessionSummary, before: number): boolean {
  return updatedAt < before && waiting === undefined && spawnedBy === undefined;
}

async function deleted(client: EngineClient, { id }: SessionSummary): Promise<Pruned["state"]> {
  try {
    await client.sessions.delete(id, identityHere("operate"));
    return "deleted";
  } catch (error) {
    if (error instanceof AppError && error.code === "session.busy") return "kept";
    throw error;
  }
}

const words = {
  "would-be-deleted": "would be deleted",
  deleted: "deleted",
  kept: "kept: somebody works in it",
} as const;

function lineOf({ sessionId, title, updatedAt, state }: Pruned): string {
  return `${sessionId}  ${new Date(updatedAt).toISOString().slice(0, 10)}  ${words[state]}  ${inertLine(title, 80)}`;
}

function endOf(pruned: readonly Pruned[], isMeant: boolean): string {
  if (pruned.length === 0) return "No session is that old.";
  return isMeant
    ? `${pruned.filter(({ state }) => state === "deleted").length} of ${pruned.length} old sessions were deleted.`
    : `${pruned.length} ${pruned.length === 1 ? "session" : "sessions"} would be deleted for good; --yes deletes them.`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
