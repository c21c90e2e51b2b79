import {
  AppError,
  type ClientIdentity,
  type JournalRecord,
  type ProposalsRequest,
  type Receipt,
  type RewindReport,
  type RewindRequest,
  type SessionClient,
  type SessionEvent,
  type SessionId,
  type Submission,
} from "@capstan/protocol";
import type { SessionRuntime } from "@capstan/runtime";
import type { LocalEngine } from "./local-engine.ts";

export interface RewindParts {
  readonly engine: LocalEngine;
  /** A client of whoever writes to the session; `null` where nobody does. */
  readonly openWhereWritten: (id: SessionId, identity: ClientIdentity) => Promise<SessionClient | null>;
}

/** Takes turns back, or brings back what was taken: through whoever writes to the session, else here. */
export async function rewindSession(
  parts: RewindParts,
  id: SessionId,
  request: RewindRequest,
  identity: ClientIdentity,
): Promise<RewindReport> {
  const rewind: FileChange = {
    submission: (turns) => submissionOf(request, turns),
    isOver: ({ type }) => type === "rewind-finished",
    hasJustHappened: async (session) => await hasJustHappened(session, request),
  };
  return await changeFiles(parts, { id, identity }, rewind);
}

/** Applies or refuses what a session proposed, in the same way. */
export async function settleProposals(
  parts: RewindParts,
  id: SessionId,
  request: ProposalsRequest,
  identity: ClientIdentity,
): Promise<RewindReport> {
  const settling: FileChange = {
    submission: () => ({ ...request, type: "settle-proposals" }),
    isOver: ({ type }) => type === "proposals-applied" || type === "proposals-refused",
    hasJustHappened: async (session) =>
      request.decision === "apply" &&
      session.state.proposals.open.length === 0 &&
      (await session.events(session.openedAfter)).some(({ record }) => record.type === "proposals-applied"),
  };
  return await changeFiles(parts, { id, identity }, settling);
}

/** Something that is done to files of a session at rest. */
interface FileChange {
  /** @param turns  how many the session has */
  submission(turns: number): Extract<Submission, { type: "rewind" | "unwind" | "settle-proposals" }>;
  isOver(record: JournalRecord): boolean;
  /** Whether opening the session finished just this: whoever was killed in the middle and says it again does not want it twice. */
  hasJustHappened(session: SessionRuntime): Promise<boolean>;
}

async function changeFiles(
  { engine, openWhereWritten }: RewindParts,
  { id, identity }: { readonly id: SessionId; readonly identity: ClientIdentity },
  change: FileChange,
): Promise<RewindReport> {
  const client = await openWhereWritten(id, identity);
  if (client !== null) {
    try {
      return await changeThrough(client, change);
    } finally {
      await client.close();
    }
  }
  const { frontend, user } = identity;
  const session = await engine.openAtRest(id, user === undefined ? { frontend } : { frontend, user });
  try {
    const receipt: Receipt = (await change.hasJustHappened(session))
      ? { type: "accepted", seq: session.snapshot().seq }
      : await changeHere(session, change, identity);
    return { receipt, events: await session.events(session.openedAfter) };
  } finally {
    await session.close();
  }
}

function submissionOf(request: RewindRequest, turns: number): Extract<Submission, { type: "rewind" | "unwind" }> {
  if (request.type === "forth") return { type: "unwind" };
  return { ...request, type: "rewind", keepTurns: request.keepTurns ?? turns - 1 };
}

async function changeThrough(client: SessionClient, change: FileChange): Promise<RewindReport> {
  const { seq, turns } = await client.snapshot();
  const receipt = await client.submit(change.submission(turns.length));
  const events: SessionEvent[] = [];
  if (receipt.type === "refused") return { receipt, events };
  for await (const frame of client.attach(seq)) {
    if (frame.type === "closed") throw new AppError("remote.closed", `the session was closed: ${frame.reason}`);
    if (frame.type !== "record") continue;
    events.push(frame.event);
    if (change.isOver(frame.event.record)) break;
  }
  return { receipt, events };
}

async function changeHere(session: SessionRuntime, change: FileChange, { role }: ClientIdentity): Promise<Receipt> {
  const over = new Promise<undefined>((resolve) => {
    session.subscribe(({ record }) => {
      if (change.isOver(record)) resolve(undefined);
    });
  });
  const receipt = await session.submit(change.submission(session.snapshot().turns.length), { role });
  const fault = receipt.type === "refused" ? undefined : await Promise.race([over, session.fault]);
  if (fault !== undefined) throw fault;
  return receipt;
}

async function hasJustHappened(session: SessionRuntime, request: RewindRequest): Promise<boolean> {
  const settled = (await session.events(session.openedAfter)).map(({ record }) => record);
  const finished = settled.find((record) => record.type === "rewind-finished");
  if (finished === undefined) return false;
  const records = (await session.events(0)).map(({ record }) => record);
  const begun = records.find((record) => record.type === "rewind-started" && record.rewindId === finished.rewindId);
  if (begun?.type !== "rewind-started") return false;
  if (request.type === "forth" || begun.direction === "forth") return request.type === begun.direction;
  const isAsFar = request.keepTurns === undefined || request.keepTurns === begun.keepTurns;
  return isAsFar && request.files && request.conversation === begun.conversation;
}
