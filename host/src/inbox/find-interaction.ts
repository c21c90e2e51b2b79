import { callersOf } from "@capstan/agents";
import type { SessionStore } from "@capstan/ports";
import {
  AppError,
  candidatesText,
  type FoundInteraction,
  type InboxEntry,
  type SessionEvent,
  type SessionId,
} from "@capstan/protocol";
import { lookFor } from "@capstan/storage";
import { searchedSessions } from "../limits.ts";

/** Everything that waits for a user, oldest first. */
export async function pendingEntries(store: SessionStore): Promise<readonly InboxEntry[]> {
  const [pending, sessions] = await Promise.all([store.pendingInteractions(), store.list()]);
  const summaries = new Map(sessions.map((session) => [session.id, session]));
  const owners = new Map<SessionId, InboxEntry["owner"]>();
  for (const { sessionId } of pending) {
    if (!owners.has(sessionId)) owners.set(sessionId, await ownerOf(store, sessionId));
  }
  return pending.map(({ sessionId, interaction }) => {
    const { title = "", cwd = "", spawnedBy } = summaries.get(sessionId) ?? {};
    const entry = { sessionId, title, cwd, owner: owners.get(sessionId) ?? null, interaction };
    if (spawnedBy === undefined) return entry;
    return { ...entry, agent: { name: spawnedBy.agent, callers: callersOf(sessionId, summaries) } };
  });
}

/** Who writes to a session and lives. */
export async function ownerOf(store: SessionStore, sessionId: SessionId): Promise<InboxEntry["owner"]> {
  return await ownerThat(store, sessionId, (found) => found !== "gone");
}

/** The same, where it is seen to live from here. */
export async function runningOwnerOf(store: SessionStore, sessionId: SessionId): Promise<InboxEntry["owner"]> {
  return await ownerThat(store, sessionId, (found) => found === "running");
}

async function ownerThat(
  store: SessionStore,
  sessionId: SessionId,
  isMeant: (found: ReturnType<typeof lookFor>) => boolean,
): Promise<InboxEntry["owner"]> {
  const holder = await store.holder(sessionId);
  if (holder === null || !isMeant(lookFor(holder.owner))) return null;
  const { processId, frontend } = holder.owner;
  return { processId, frontend };
}

/**
 * What an id, or a unique beginning of one, stands for. What waits comes first: only what matches nothing there is looked for
 * among what is settled.
 * @throws {AppError} `interaction.unknown`, `usage.invalid` for a beginning that fits several
 */
export async function findInteraction(store: SessionStore, idOrPrefix: string): Promise<FoundInteraction> {
  const pending = await pendingEntries(store);
  const exact = pending.find(({ interaction }) => interaction.id === idOrPrefix);
  const fitting =
    exact === undefined ? pending.filter(({ interaction }) => begins(interaction.id, idOrPrefix)) : [exact];
  const [entry, another] = fitting;
  if (another !== undefined) throw ambiguousInteraction(idOrPrefix, fitting);
  if (entry !== undefined) return { type: "pending", entry };
  return (await findSettled(store, idOrPrefix)) ?? unknown(idOrPrefix);
}

async function findSettled(store: SessionStore, idOrPrefix: string): Promise<FoundInteraction | undefined> {
  if (idOrPrefix === "") return undefined;
  const sessions = (await store.list()).slice(0, searchedSessions);
  for (const { id: sessionId } of sessions) {
    const events = await store.read(sessionId, 0);
    const opened = events.flatMap(({ record }) =>
      record.type === "interaction-opened" && begins(record.interaction.id, idOrPrefix) ? [record.interaction] : [],
    );
    const interaction = opened.find(({ id }) => id === idOrPrefix) ?? opened[0];
    const settled = interaction === undefined ? undefined : settledIn(events, interaction.id);
    if (interaction !== undefined && settled !== undefined) return { type: "settled", sessionId, interaction, settled };
  }
  return undefined;
}

function settledIn(
  events: readonly SessionEvent[],
  id: string,
): Extract<FoundInteraction, { readonly type: "settled" }>["settled"] | undefined {
  for (const { at, record } of events) {
    if (record.type !== "interaction-resolved" || record.interactionId !== id) continue;
    const { interactionId, answer, origin, answerId } = record;
    return { interactionId, answer, origin, at, ...(answerId === undefined ? {} : { answerId }) };
  }
  return undefined;
}

function begins(id: string, prefix: string): boolean {
  return prefix !== "" && id.startsWith(prefix);
}

function ambiguousInteraction(prefix: string, fitting: readonly InboxEntry[]): AppError {
  const candidates = fitting.map(({ interaction: { id, request }, title }) => ({
    id,
    about: title === "" ? request.type : `${request.type} in ${title}`,
  }));
  return new AppError(
    "usage.invalid",
    `${fitting.length} interactions begin with ${JSON.stringify(prefix)}: ${candidatesText(candidates)}`,
    { hint: "Try: capstan interactions list" },
  );
}

function unknown(idOrPrefix: string): never {
  throw new AppError("interaction.unknown", `there is no interaction ${JSON.stringify(idOrPrefix)}`, {
    hint: "Try: capstan interactions list",
  });
}
