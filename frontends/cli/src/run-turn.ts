import type { AppError, SessionHandle, SessionEvent } from "@capstan/protocol";
import { type OpenTurn, openTurnOf } from "./open-turn.ts";
import { gatherResult, pendingQuestions, type RunResult } from "./run-result.ts";
import { resultInDoubt } from "./result-in-doubt.ts";
import type { TurnReport, TurnRequest, TurnView } from "./turn-request.ts";
import { waitForEnd } from "./wait-for-end.ts";

/** Runs one turn to its end, whatever the end is. The report is guaranteed: a turn that does not end when asked to is reported all the same. */
export async function runTurn(request: TurnRequest, view: TurnView): Promise<TurnReport> {
  const startedMs = performance.now();
  const openedAt = Date.now();
  const open = request.content.length > 0 ? null : await openTurnOf(request.engine, request.target);
  const session = await request.engine.open(request.target, request.origin ?? { frontend: "cli" });
  view.opened(session);
  const inDoubt = await resultInDoubt(session, openedAt, request.content);
  if (inDoubt !== null) for (const event of await session.events(session.openedAfter)) view.event(event);
  const end: Ended = inDoubt === null ? await takeTurn({ request, session, view, open }) : { result: inDoubt };
  const report: TurnReport = {
    sessionId: session.id,
    result: end.result,
    durationMs: Math.round(performance.now() - startedMs),
    ...(end.fault === undefined ? {} : { fault: end.fault }),
  };
  // Reported before the session closes: whoever loses patience with a command that ends slowly has the result already.
  view.finished(report);
  await session.close();
  end.stopListening?.();
  return report;
}

interface Ended {
  readonly result: RunResult;
  readonly fault?: AppError;
  /** Until then a signal is handled: a second one ends the process at once. */
  readonly stopListening?: () => void;
}

interface Taking {
  readonly request: TurnRequest;
  readonly session: SessionHandle;
  readonly view: TurnView;
  /** The turn that continues; `null`: a new one. */
  readonly open: OpenTurn | null;
}

async function takeTurn({ request, session, view, open }: Taking): Promise<Ended> {
  const turnId = open?.turnId ?? request.engine.newTurnId();
  const gathered = gatherResult(turnId);
  for (const event of open?.events ?? []) {
    if (event.seq > session.openedAfter) continue;
    gathered.push(event);
    view.before?.(event);
  }
  const push = (event: SessionEvent): boolean => {
    gathered.push(event);
    view.event(event);
    return gathered.ended;
  };
  const { outcome, fault, stopListening } = await waitForEnd({ request, session, view, turnId, push });
  if (fault !== undefined) return { result: faulty(gathered.result("error"), fault), fault, stopListening };
  const result = gathered.result(outcome);
  return { result: result.outcome === "parked" ? parked(result, session) : result, stopListening };
}

/** The turn stays open, and the result says what it takes to continue. */
function parked(result: RunResult, session: SessionHandle): RunResult {
  const pending = pendingQuestions(session.snapshot().pending);
  const [one, verb] = pending.length === 1 ? ["question", "waits"] : ["questions", "wait"];
  const message = `${pending.length} ${one} ${verb} for an answer; then capstan run --resume ${session.id}`;
  return { ...result, error: { message }, pending };
}

function faulty(result: RunResult, fault: AppError): RunResult {
  return { ...result, outcome: "error", error: { message: fault.message, code: fault.code } };
}
