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
import { expect, test, vi } from "vitest";
import { cancelGraceMs } from "../src/limits.ts";
import { runTurn } from "../src/run-turn.ts";
import type { TurnReport, TurnRequest } from "../src/turn-request.ts";
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

/** Runs a turn; `stop` is called back with what stops the turn, as soon as it listens. */
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
      session.log.push("reported");
    },
  });
  return { report, session, seen };
}

test("what was settled while the session opened is reported first, and nothing twice", async () => {
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

test("a turn is opened, followed event by event, reported, and closed, in this order", async () => {
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
  expect(session.log).toEqual(["open new cli", "reported", "close", "stop listening"]);
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

test("a request to stop that comes after the end changes nothing", async () => {
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
  expect(session.log).toEqual(["open new cli", "reported", "close", "stop listening"]);
});

test("the end of another turn is not this turn's end", async () => {
  const { report } = await play((submission, self) => {
    if (submission.type !== "user-input") return;
    self.say(turnEnded("error", { turnId: toTurnId("other") }), turnStarted(), answered("mine"), turnEnded("done"));
  });
  expect(report.result).toMatchObject({ outcome: "done", text: "mine" });
});

test("a request to stop that ends a turn left over from before is this turn's as well", async () => {
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

test("a turn that does not end although it was cancelled is reported all the same, after its time of grace", async () => {
  vi.useFakeTimers();
  try {
    const stops: ((reason: CancelReason) => void)[] = [];
    const running = play(
      (submission, self) => {
        if (submission.type !== "user-input") return;
        self.say(turnStarted());
        for (const stop of stops) stop("interrupted");
      },
      {
        onStop: (listener) => {
          stops.push(listener);
          return () => undefined;
        },
      },
    );
    await vi.advanceTimersByTimeAsync(cancelGraceMs - 1);
    expect(await Promise.race([running, Promise.resolve("runs")])).toBe("runs");
    await vi.advanceTimersByTimeAsync(1);
    const { report, session } = await running;
    expect(report.result).toMatchObject({ outcome: "interrupted", error: { message: "interrupted" } });
    expect(session.log.at(-1)).toBe("close");
  } finally {
    vi.useRealTimers();
  }
});

test("what happened in a turn while its session was opened counts once", async () => {
  const past = [...opening(), turnStarted(), answered("so far")].map((record, at): SessionEvent => ({
    seq: at + 1,
    at: 0,
    record,
  }));
  const session = new FakeSession(() => undefined, past, past.length - 1);
  const seen: string[] = [];
  const report = await runTurn(
    { engine: session, target: { type: "resume", id: sessionId }, content: [], onStop: () => () => undefined },
    {
      opened: () => undefined,
      before: ({ record }) => seen.push(`before ${record.type}`),
      event: ({ record }) => {
        seen.push(record.type);
        if (record.type === "step-completed") queueMicrotask(() => session.say(turnEnded("done")));
      },
      finished: () => undefined,
    },
  );
  expect(report.result).toMatchObject({ outcome: "done", text: "so far", modelCalls: 1, costUsd: 0.25 });
  expect(seen).toEqual(["before turn-started", "step-completed", "turn-ended"]);
});
