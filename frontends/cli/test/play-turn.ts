import { type JournalRecord, type SessionEvent, toStepId, type TurnId, userText, type StepId } from "@capstan/protocol";
import { message, testUsage } from "@capstan/testkit";
import { runTurn } from "../src/turn/run-turn.ts";
import type { TurnReport, TurnRequest } from "../src/turn/turn-request.ts";
import { FakeSession, type Found, identity, type Reaction, sessionId, turnEnded, turnStarted } from "./fake-session.ts";

const step: StepId = toStepId("turn-1.s1");

export function answered(text: string): JournalRecord {
  return {
    type: "step-completed",
    stepId: step,
    message: message(text),
    reason: "stop",
    usage: testUsage,
    costUsd: 0.25,
  };
}

export interface Played {
  readonly report: TurnReport;
  readonly session: FakeSession;
  readonly seen: readonly (SessionEvent | string)[];
}

/** Runs a turn; `stop` is called back with what stops the turn, as soon as it listens. */
export async function play(react: Reaction, more: Partial<TurnRequest> = {}, found: Found = {}): Promise<Played> {
  const session = new FakeSession(react, found);
  const seen: (SessionEvent | string)[] = [];
  const request: TurnRequest = {
    client: session.engine,
    identity,
    target: { type: "new" },
    content: userText("go"),
    onStop: () => () => session.log.push("stop listening"),
    ...more,
  };
  const report = await runTurn(request, {
    opened: () => void seen.push("opened"),
    before: ({ record }) => void seen.push(`before ${record.type}`),
    event: (event) => void seen.push(event),
    owner: ({ type }) => void seen.push(`owner ${type}`),
    waiting: ({ id }) => void seen.push(`waiting ${id}`),
    finished: () => {
      seen.push("finished");
      session.log.push("reported");
    },
  });
  return { report, session, seen };
}

export const resume = { type: "resume", id: sessionId } as const;

/** Every turn ends as soon as it begins. */
export function endsAtOnce(...[submission, session]: Parameters<Reaction>): void {
  if (submission.type === "user-input") session.say(turnStarted(), turnEnded("done"));
}

export function typesOf(seen: Played["seen"]): readonly string[] {
  return seen.map((item) => (typeof item === "string" ? item : item.record.type));
}

/** A turn with this id is under way. */
export function under(id: TurnId, more: Found = {}): Found {
  return { ...more, snapshot: { activity: { type: "preparing", turnId: id }, ...more.snapshot } };
}
