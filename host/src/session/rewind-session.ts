import {
  AppError,
  type ClientIdentity,
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
  { engine, openWhereWritten }: RewindParts,
  id: SessionId,
  request: RewindRequest,
  identity: ClientIdentity,
): Promise<RewindReport> {
  const client = await openWhereWritten(id, identity);
  if (client !== null) {
    try {
      return await rewindThrough(client, request);
    } finally {
      await client.close();
    }
  }
  const { frontend, user } = identity;
  const session = await engine.openAtRest(id, user === undefined ? { frontend } : { frontend, user });
  try {
    const isDone = await hasJustHappened(session, request);
    const receipt: Receipt = isDone
      ? { type: "accepted", seq: session.snapshot().seq }
      : await rewind(session, request);
    return { receipt, events: await session.events(session.openedAfter) };
  } finally {
    await session.close();
  }
}

function submissionOf(request: RewindRequest, turns: number): Extract<Submission, { type: "rewind" | "unwind" }> {
  if (request.type === "forth") return { type: "unwind" };
  return { ...request, type: "rewind", keepTurns: request.keepTurns ?? turns - 1 };
}

async function rewindThrough(client: SessionClient, request: RewindRequest): Promise<RewindReport> {
  const { seq, turns } = await client.snapshot();
  const receipt = await client.submit(submissionOf(request, turns.length));
  const events: SessionEvent[] = [];
  if (receipt.type === "refused") return { receipt, events };
  for await (const frame of client.attach(seq)) {
    if (frame.type === "closed") throw new AppError("remote.closed", `the session was closed: ${frame.reason}`);
    if (frame.type !== "record") continue;
    events.push(frame.event);
    if (frame.event.record.type === "rewind-finished") break;
  }
  return { receipt, events };
}

async function rewind(session: SessionRuntime, request: RewindRequest): Promise<Receipt> {
  const over = new Promise<undefined>((resolve) => {
    session.subscribe(({ record }) => {
      if (record.type === "rewind-finished") resolve(undefined);
    });
  });
  const receipt = await session.submit(submissionOf(request, session.snapshot().turns.length));
  const fault = receipt.type === "refused" ? undefined : await Promise.race([over, session.fault]);
  if (fault !== undefined) throw fault;
  return receipt;
}

/** Whether opening the session finished just this: whoever was killed in the middle and says it again does not want it twice. */
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
