import {
  AppError,
  type CancelReason,
  messageOf,
  type SessionHandle,
  type SessionEvent,
  type TurnId,
  type TurnOutcome,
} from "@capstan/protocol";
import type { TurnRequest, TurnView } from "./turn-request.ts";
import { InteractionHandler } from "./asking/interaction-handler.ts";
import { eventsInOrder } from "./events-in-order.ts";
import { cancelGraceMs } from "./limits.ts";

export interface End {
  /** Holds when no event reported the outcome. */
  readonly outcome: TurnOutcome;
  readonly fault?: AppError;
  /** Until then a signal is handled: a second one ends the process at once. */
  readonly stopListening: () => void;
}

export interface Awaited {
  readonly request: TurnRequest;
  readonly session: SessionHandle;
  readonly view: TurnView;
  readonly turnId: TurnId;
  /** Takes every event, in order. @returns whether the turn has ended with it */
  readonly push: (event: SessionEvent) => boolean;
}

/** Begins the turn, or continues with it, and waits until it ends, is parked, cannot continue, or does not end although it was asked to. */
export function waitForEnd({ request, session, view, turnId, push }: Awaited): Promise<End> {
  return new Promise((resolve, reject) => {
    let graceTimer: NodeJS.Timeout | undefined;
    let over = false;
    let stopped: CancelReason | undefined;
    const finish = (end: Omit<End, "stopListening">): void => {
      if (over) return;
      over = true;
      clearTimeout(graceTimer);
      clearTimeout(timer);
      handler.stop();
      events.stop();
      resolve({ ...end, stopListening });
    };
    const fail = (error: unknown): void => finish({ outcome: "error", fault: faultOf(error) });
    const handler = new InteractionHandler(session, request.onAsk ?? { type: "deny" }, {
      waiting: (interaction) => view.waiting?.(interaction),
      parked: () => finish({ outcome: "parked" }),
      failed: fail,
    });
    const cancel = (reason: CancelReason): void => {
      if (over) return;
      stopped = reason;
      graceTimer ??= setTimeout(() => finish({ outcome: reason }), cancelGraceMs);
      session.submit({ type: "cancel", reason }).catch(() => finish({ outcome: reason }));
    };
    let isBegun = false;
    const events = eventsInOrder(session, (event) => {
      if (push(event)) finish({ outcome: "done" });
      // What was stopped may have been a turn left over from before, which ran first.
      else if (stopped !== undefined && isStart(event, turnId)) cancel(stopped);
      else if (isBegun && concernsUser(event)) handler.look();
    });
    const stopListening = request.onStop(cancel);
    const timer = request.timeoutMs === undefined ? undefined : setTimeout(() => cancel("timeout"), request.timeoutMs);
    session.fault.then((fault) => finish({ outcome: "error", fault }), reject);
    const begin = async (): Promise<void> => {
      await events.caughtUp;
      if (over) return;
      if (request.content.length > 0) await session.submit({ type: "user-input", turnId, content: request.content });
      isBegun = true;
      handler.look();
    };
    begin().catch(fail);
  });
}

function concernsUser({ record }: SessionEvent): boolean {
  return record.type === "interaction-opened" || record.type === "interaction-resolved";
}

function isStart({ record }: SessionEvent, turnId: TurnId): boolean {
  return record.type === "turn-started" && record.turnId === turnId;
}

function faultOf(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError("storage.failed", messageOf(error), { cause: error });
}
