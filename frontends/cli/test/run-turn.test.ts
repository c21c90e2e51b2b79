import {
  AppError,
  type CancelReason,
  type JournalRecord,
  type SessionEvent,
  toStepId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { message, opening, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import { runTurn, type TurnReport, type TurnRequest } from "../src/run-turn.ts";
import { FakeSession, type Reaction, sessionId, turnEnded, turnId, turnStarted } from "./fake-session.ts";

const step = toStepId("turn-1.s1");

function answered(text: string): JournalRecord {
  return {
    type: "step-completed",
    stepId: step,
    message: message(text),
    reason: "stop",
    usage: testUsage,
    costUsd: 0.25,
  };
}

interface Played {
  readonly report: TurnReport;
  readonly session: FakeSession;
  readonly seen: readonly (SessionEvent | string)[];
}

/** Runs a turn; `stop` is called back with what tells the turn to stop, as soon as it listens. */
async function play(
  react: Reaction,
  more: Partial<TurnRequest> = {},
  session = new FakeSession(react),
): Promise<Played> {
  const seen: (SessionEvent | string)[] = [];
  const request: TurnRequest = {
    engine: session,
    target: { type: "new" },
    content: userText("go"),
    onStop: () => () => session.log.push("stop listening"),
    ...more,
  };
  const report = await runTurn(request, {
    opened: () => void seen.push("opened"),
    event: (event) => void seen.push(event),
    finished: () => {
      seen.push("finished");
      session.log.push("told");
    },
  });
  return { report, session, seen };
}

test("what was settled while the session opened is told first, and nothing twice", async () => {
  const settled: readonly JournalRecord[] = [
    ...opening(),
    { type: "session-recovered", found: "a batch of tool calls that had not ended" },
  ];
  const past = settled.map((record, at): SessionEvent => ({ seq: at + 1, at: 0, record }));
  const session = new FakeSession((_submission, self) => self.say(turnStarted(), turnEnded("done")), past, 2);
  const { seen } = await play(() => undefined, {}, session);
  expect(seen.map((event) => (typeof event === "string" ? event : event.record.type))).toEqual([
    "opened",
    "session-recovered",
    "turn-started",
    "turn-ended",
    "finished",
  ]);
});

test("a turn is opened, followed event by event, told, and closed, in this order", async () => {
  const { report, session, seen } = await play((submission, self) => {
    if (submission.type === "user-input") self.say(turnStarted(), answered("hi"), turnEnded("done"));
  });
  expect(report).toEqual({
    sessionId,
    durationMs: expect.any(Number),
    result: {
      outcome: "done",
      text: "hi",
      usage: testUsage,
      costUsd: 0.25,
      modelCalls: 1,
      toolCalls: 0,
      filesChanged: [],
      proposedChanges: [],
      deniedCalls: [],
    },
  });
  expect(session.submissions).toEqual([{ type: "user-input", turnId, content: userText("go") }]);
  expect(seen.map((item) => (typeof item === "string" ? item : item.record.type))).toEqual([
    "opened",
    "turn-started",
    "step-completed",
    "turn-ended",
    "finished",
  ]);
  expect(session.log).toEqual(["open new cli", "told", "close", "stop listening"]);
  expect(session.listeners).toBe(0);
});

test.each(["interrupted", "terminated"] as const)(
  "%s: the turn is cancelled once, and ends as it says",
  async (reason) => {
    const stops: ((reason: CancelReason) => void)[] = [];
    const { report, session } = await play(
      (submission, self) => {
        if (submission.type === "user-input") {
          self.say(turnStarted());
          for (const stop of stops) stop(reason);
        }
        if (submission.type === "cancel") self.say(turnEnded(submission.reason, { message: "Cancelled." }));
      },
      {
        onStop: (listener) => {
          stops.push(listener);
          return () => undefined;
        },
      },
    );
    expect(session.submissions.slice(1)).toEqual([{ type: "cancel", reason }]);
    expect(report.result).toMatchObject({ outcome: reason, error: { message: "Cancelled." } });
  },
);

test("a wish to stop that comes after the end changes nothing", async () => {
  const stops: ((reason: CancelReason) => void)[] = [];
  const session = new FakeSession((submission, self) => {
    if (submission.type === "user-input") self.say(turnStarted(), turnEnded("done"));
  });
  const { report } = await play(
    () => undefined,
    {
      onStop: (listener) => {
        stops.push(listener);
        return () => undefined;
      },
    },
    session,
  );
  for (const stop of stops) stop("interrupted");
  expect(report.result.outcome).toBe("done");
  expect(session.submissions.map((submission) => submission.type)).toEqual(["user-input"]);
});

test("a turn whose cancel cannot be submitted ends without it, with the reason as its outcome", async () => {
  const { report } = await play(
    (submission, self) => {
      if (submission.type === "cancel") throw new Error("closed");
      self.say(turnStarted());
    },
    {
      onStop: (listener) => {
        queueMicrotask(() => listener("terminated"));
        return () => undefined;
      },
    },
  );
  expect(report.result).toMatchObject({ outcome: "terminated", error: { message: "terminated" } });
});

test("when the time is over the turn is cancelled for that reason", async () => {
  const { report, session } = await play(
    (submission, self) => {
      if (submission.type === "user-input") self.say(turnStarted());
      if (submission.type === "cancel") self.say(turnEnded(submission.reason));
    },
    { timeoutMs: 1 },
  );
  expect(session.submissions.slice(1)).toEqual([{ type: "cancel", reason: "timeout" }]);
  expect(report.result).toMatchObject({ outcome: "timeout" });
});

test("a session that can no longer write ends the turn as an error, with what was said so far and the cause", async () => {
  const fault = new AppError("storage.full", "the disk is full");
  const { report, session } = await play((submission, self) => {
    self.say(turnStarted(), answered("so far"));
    self.fail(fault);
    throw fault;
  });
  expect(report).toMatchObject({
    fault,
    result: { outcome: "error", text: "so far", error: { code: "storage.full", message: "the disk is full" } },
  });
  expect(session.log).toEqual(["open new cli", "told", "close", "stop listening"]);
});

test("the end of another turn is not this turn's end", async () => {
  const { report } = await play((submission, self) => {
    if (submission.type !== "user-input") return;
    self.say(turnEnded("error", { turnId: toTurnId("other") }), turnStarted(), answered("mine"), turnEnded("done"));
  });
  expect(report.result).toMatchObject({ outcome: "done", text: "mine" });
});

test("a wish to stop that ends a turn left over from before is this turn's as well", async () => {
  const stops: ((reason: CancelReason) => void)[] = [];
  const other = toTurnId("other");
  let running = other;
  const { report, session } = await play(
    (submission, self) => {
      if (submission.type === "user-input") for (const stop of stops) stop("terminated");
      if (submission.type !== "cancel") return;
      self.say(turnEnded(submission.reason, { turnId: running }));
      if (running !== other) return;
      running = turnId;
      self.say(turnStarted());
    },
    {
      onStop: (listener) => {
        stops.push(listener);
        return () => undefined;
      },
    },
  );
  const cancel = { type: "cancel", reason: "terminated" };
  expect([report.result.outcome, session.submissions.slice(1)]).toEqual(["terminated", [cancel, cancel]]);
});

test("what cannot be opened is thrown, and nothing is shown", async () => {
  const unknown = new AppError("session.unknown", "no such session");
  class Empty extends FakeSession {
    override open(): Promise<never> {
      return Promise.reject(unknown);
    }
  }
  const session = new Empty(() => undefined);
  await expect(play(() => undefined, { target: { type: "resume", id: sessionId } }, session)).rejects.toBe(unknown);
  expect(session.log).toEqual([]);
});
