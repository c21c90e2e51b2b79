import {
  AppError,
  asksAgain,
  type Frame,
  type Receipt,
  type SessionClient,
  type SessionEvent,
  type Submission,
  type TurnId,
  type UserContent,
} from "@capstan/protocol";
import { historyPageEvents } from "../limits.ts";
import { SessionProgress } from "./session-progress.ts";
import type { OpenedSession } from "./turn-request.ts";

/**
 * Takes a session's last turn back, files too; one that left no trace is gone already. What an earlier process left open is settled and
 * ended first.
 * @param show  called with what happens, in order
 * @returns the words of that turn
 * @throws {AppError} `usage.invalid` when there is none; `session.busy` where something is under way in another process
 */
export async function takeBackLast(
  session: SessionClient,
  opened: OpenedSession,
  show: (event: SessionEvent) => void,
): Promise<readonly UserContent[]> {
  const progress = new SessionProgress(opened);
  const frames = session.attach(progress.seen)[Symbol.asyncIterator]();
  const failed = Promise.race([follow(frames, progress, show), session.fault.then(thrown)]);
  try {
    return await Promise.race([takeBack({ session, progress, opened }), failed]);
  } finally {
    await frames.return?.();
    failed.catch(() => undefined);
  }
}

interface Taking {
  readonly session: SessionClient;
  readonly progress: SessionProgress;
  readonly opened: OpenedSession;
}

async function takeBack(taking: Taking): Promise<readonly UserContent[]> {
  const { session, progress } = taking;
  if (progress.isHere) await bringToRest(taking);
  const last = await lastTurnOf(session);
  const { turns } = await session.snapshot();
  if (turns.at(-1)?.turnId === last.turnId) {
    const before = progress.rewinds;
    await accepted(taking, { type: "rewind", keepTurns: turns.length - 1, conversation: true, files: true });
    await progress.until(() => progress.rewinds > before);
  }
  return last.content;
}

/** A call whose outcome nobody knows is looked at first; what could still be done is not. */
async function bringToRest(taking: Taking): Promise<void> {
  const { session, progress, opened } = taking;
  const { activity, queued } = opened.snapshot;
  if (session.recovery.waits && mayHaveActed.has(activity.type)) {
    const before = progress.rewinds;
    await accepted(taking, { type: "resume" });
    if (activity.type === "rewinding") await progress.until(() => progress.rewinds > before);
  }
  if (progress.openTurn !== null || queued.length > 0 || activity.type === "summarizing") {
    await session.submit({ type: "cancel", reason: "interrupted", queued: "hand-back" });
    await progress.until(() => progress.openTurn === null);
  }
  if (session.recovery.waits) await accepted(taking, { type: "resume" });
}

/** What an earlier process was at when it may have changed something. */
const mayHaveActed: ReadonlySet<string> = new Set([
  "executing",
  "awaiting-approval",
  "awaiting-user",
  "recovery",
  "rewinding",
]);

interface LastTurn {
  readonly turnId: TurnId;
  readonly content: readonly UserContent[];
}

async function lastTurnOf(session: SessionClient): Promise<LastTurn> {
  let before: number | null = null;
  do {
    const page: Awaited<ReturnType<SessionClient["history"]>> = await session.history(before, historyPageEvents);
    const last = page.events.findLast(({ record }) => record.type === "turn-started" && !asksAgain(record))?.record;
    if (last?.type === "turn-started") return last;
    before = page.before;
  } while (before !== null);
  throw new AppError("usage.invalid", `nothing was said in session ${session.id} yet`, {
    hint: "Give a prompt instead.",
  });
}

async function accepted({ session, progress }: Taking, submission: Submission): Promise<void> {
  const receipt = await session.submit(submission);
  if (receipt.type === "refused") throw refusedAs(receipt);
  await progress.reached(receipt.seq);
}

function refusedAs({ reason, hint }: Extract<Receipt, { readonly type: "refused" }>): AppError {
  return new AppError("session.busy", reason, hint === undefined ? {} : { hint });
}

/** Resolves never: the frames end only with the session. */
async function follow(
  frames: AsyncIterator<Frame>,
  progress: SessionProgress,
  show: (event: SessionEvent) => void,
): Promise<never> {
  for (;;) {
    const step = await frames.next();
    if (step.done === true) return await new Promise(() => undefined);
    if (step.value.type === "closed") throw new AppError("session.unknown", step.value.reason);
    if (step.value.type === "record") show(step.value.event);
    progress.take(step.value);
  }
}

function thrown(fault: AppError): never {
  throw fault;
}
