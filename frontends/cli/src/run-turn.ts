import {
  AppError,
  type CancelReason,
  type EngineClient,
  messageOf,
  type SessionClient,
  type SessionEvent,
  type SessionTarget,
  type TurnId,
  type TurnOutcome,
  type UserContent,
} from "@capstan/protocol";
import { gatherResult, type RunResult } from "@capstan/view";
import { eventsInOrder } from "./events-in-order.ts";
import { cancelGraceMs } from "./limits.ts";
import { resultInDoubt } from "./result-in-doubt.ts";

export interface TurnRequest {
  readonly engine: EngineClient;
  readonly target: SessionTarget;
  readonly content: readonly UserContent[];
  /** Wall time for the whole turn; `undefined`: none. */
  readonly timeoutMs?: number;
  /** Tells when the person or the system wants the turn stopped. Called back at most once for each reason. */
  onStop(listener: (reason: CancelReason) => void): () => void;
}

/** How a medium shows a turn. */
export interface TurnView {
  opened(session: SessionClient): void;
  event(event: SessionEvent): void;
  /** The turn has ended and its end is durable; what it had running may still be on its way out. */
  finished(report: TurnReport): void;
}

export interface TurnReport {
  readonly sessionId: string;
  readonly result: RunResult;
  readonly fault?: AppError;
  readonly durationMs: number;
}

/** Runs one turn to its end, whatever the end is. The report is guaranteed: a turn that does not end when told to is reported all the same. */
export async function runTurn(request: TurnRequest, view: TurnView): Promise<TurnReport> {
  const startedMs = performance.now();
  const openedAt = Date.now();
  const session = await request.engine.open(request.target, { face: "cli" });
  view.opened(session);
  const inDoubt = await resultInDoubt(session, openedAt, request.content);
  if (inDoubt !== null) for (const event of await session.events(session.openedAfter)) view.event(event);
  const end: Ended = inDoubt === null ? await takeTurn(request, session, view) : { result: inDoubt };
  const report: TurnReport = {
    sessionId: session.id,
    result: end.result,
    durationMs: Math.round(performance.now() - startedMs),
    ...(end.fault === undefined ? {} : { fault: end.fault }),
  };
  // Told before the session closes: whoever loses patience with a command that ends slowly has the result already.
  view.finished(report);
  await session.close();
  end.stopListening?.();
  return report;
}

interface Ended {
  readonly result: RunResult;
  readonly fault?: AppError;
  /** Until then a signal is heard: a second one ends the process at once. */
  readonly stopListening?: () => void;
}

async function takeTurn(request: TurnRequest, session: SessionClient, view: TurnView): Promise<Ended> {
  const turnId = request.engine.newTurnId();
  const gathered = gatherResult(turnId);
  const end = await waitForEnd(request, session, turnId, (event) => {
    gathered.push(event);
    view.event(event);
    return gathered.ended;
  });
  const { fault, stopListening } = end;
  if (fault === undefined) return { result: gathered.result(end.outcome), stopListening };
  return { result: faulty(gathered.result("error"), fault), fault, stopListening };
}

interface End {
  /** Holds when no event told the outcome. */
  readonly outcome: TurnOutcome;
  readonly fault?: AppError;
  readonly stopListening: () => void;
}

function waitForEnd(
  request: TurnRequest,
  session: SessionClient,
  turnId: TurnId,
  push: (event: SessionEvent) => boolean,
): Promise<End> {
  return new Promise((resolve, reject) => {
    let graceTimer: NodeJS.Timeout | undefined;
    let over = false;
    let stopped: CancelReason | undefined;
    const finish = (end: Omit<End, "stopListening">): void => {
      over = true;
      clearTimeout(graceTimer);
      clearTimeout(timer);
      events.stop();
      resolve({ ...end, stopListening });
    };
    const cancel = (reason: CancelReason): void => {
      if (over) return;
      stopped = reason;
      graceTimer ??= setTimeout(() => finish({ outcome: reason }), cancelGraceMs);
      session.submit({ type: "cancel", reason }).catch(() => finish({ outcome: reason }));
    };
    const events = eventsInOrder(session, (event) => {
      if (push(event)) finish({ outcome: "done" });
      // What was stopped may have been a turn left over from before, which ran first.
      else if (stopped !== undefined && isStart(event, turnId)) cancel(stopped);
    });
    const stopListening = request.onStop(cancel);
    const timer = request.timeoutMs === undefined ? undefined : setTimeout(() => cancel("timeout"), request.timeoutMs);
    session.fault.then((fault) => finish({ outcome: "error", fault }), reject);
    events.caughtUp
      .then(() => session.submit({ type: "user-input", turnId, content: request.content }))
      .catch((error: unknown) => finish({ outcome: "error", fault: faultOf(error) }));
  });
}

function isStart({ record }: SessionEvent, turnId: TurnId): boolean {
  return record.type === "turn-started" && record.turnId === turnId;
}

function faultOf(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError("storage.failed", messageOf(error), { cause: error });
}

function faulty(result: RunResult, fault: AppError): RunResult {
  return { ...result, outcome: "error", error: { message: fault.message, code: fault.code } };
}
