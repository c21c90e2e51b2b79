import type {
  AppError,
  CancelReason,
  EngineClient,
  SessionClient,
  SessionEvent,
  SessionTarget,
  TurnId,
  TurnOutcome,
  UserContent,
} from "@capstan/protocol";
import { gatherResult, type RunResult } from "@capstan/view";
import { cancelGraceMs } from "./limits.ts";

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
  const session = await request.engine.open(request.target, { face: "cli" });
  const turnId = request.engine.newTurnId();
  const gathered = gatherResult(turnId);
  view.opened(session);
  const end = await waitForEnd(request, session, turnId, (event) => {
    gathered.push(event);
    view.event(event);
    return gathered.ended;
  });
  const result = end.fault === undefined ? gathered.result(end.outcome) : faulty(gathered.result("error"), end.fault);
  await session.close();
  return {
    sessionId: session.id,
    result,
    durationMs: Math.round(performance.now() - startedMs),
    ...(end.fault === undefined ? {} : { fault: end.fault }),
  };
}

interface End {
  /** Holds when no event told the outcome. */
  readonly outcome: TurnOutcome;
  readonly fault?: AppError;
}

function waitForEnd(
  request: TurnRequest,
  session: SessionClient,
  turnId: TurnId,
  push: (event: SessionEvent) => boolean,
): Promise<End> {
  return new Promise((resolve, reject) => {
    let graceTimer: NodeJS.Timeout | undefined;
    const finish = (end: End): void => {
      clearTimeout(graceTimer);
      clearTimeout(timer);
      unsubscribe();
      unlisten();
      resolve(end);
    };
    const cancel = (reason: CancelReason): void => {
      graceTimer ??= setTimeout(() => finish({ outcome: reason }), cancelGraceMs);
      session.submit({ type: "cancel", reason }).catch(() => finish({ outcome: reason }));
    };
    const unsubscribe = session.subscribe((event) => {
      if (push(event)) finish({ outcome: "done" });
    });
    const unlisten = request.onStop(cancel);
    const timer = request.timeoutMs === undefined ? undefined : setTimeout(() => cancel("timeout"), request.timeoutMs);
    session.fault.then((fault) => finish({ outcome: "error", fault }), reject);
    session.submit({ type: "user-input", turnId, content: request.content }).catch(ignoreFault);
  });
}

function ignoreFault(): void {
  // A submission fails only when the session does, and `fault` tells that with its reason.
}

function faulty(result: RunResult, fault: AppError): RunResult {
  return { ...result, outcome: "error", error: { message: fault.message, code: fault.code } };
}
