import { AppError, type CancelReason, toTurnId, userText } from "@capstan/protocol";
import { opening, testUsage } from "@capstan/testkit";
import { expect, test, vi } from "vitest";
import { cancelGraceMs } from "../src/limits.ts";
import { FakeSession, numbered, sessionId, turnEnded, turnId, turnStarted } from "./fake-session.ts";
import { answered, play, resume, typesOf, under } from "./play-turn.ts";

test("what an earlier process left is resumed and reported first, and nothing twice", async () => {
  const { seen, session } = await play(
    (submission, self) => {
      if (submission.type === "resume") self.say({ type: "session-recovered", found: "a turn that had not ended" });
      if (submission.type === "user-input") self.say(turnStarted(), turnEnded("done"));
    },
    { target: resume },
    { waits: true },
  );
  expect(session.submissions.map(({ type }) => type)).toEqual(["resume", "user-input"]);
  expect(typesOf(seen)).toEqual(["opened", "session-recovered", "turn-started", "turn-ended", "finished"]);
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
  expect(typesOf(seen)).toEqual(["opened", "turn-started", "step-completed", "turn-ended", "finished"]);
  expect(session.log).toEqual(["open new cli", "reported", "close", "stop listening"]);
  expect(session.attached).toBe(0);
});

test.each(["interrupted", "terminated"] as const)(
  "%s: the turn is cancelled once, and ends as it says",
  async (reason) => {
    const stops: ((reason: CancelReason) => void)[] = [];
    const { report, session } = await play(
      (submission, self) => {
        if (submission.type === "user-input") {
          self.say(turnStarted());
          setImmediate(() => {
            for (const stop of stops) stop(reason);
          });
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
    expect(session.submissions.slice(1)).toEqual([{ type: "cancel", reason, turnId }]);
    expect(report.result).toMatchObject({ outcome: reason, error: { message: "Cancelled." } });
  },
);

test("a request to stop that comes after the end changes nothing", async () => {
  const stops: ((reason: CancelReason) => void)[] = [];
  const { report, session } = await play(
    (submission, self) => {
      if (submission.type === "user-input") self.say(turnStarted(), turnEnded("done"));
    },
    {
      onStop: (listener) => {
        stops.push(listener);
        return () => undefined;
      },
    },
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
        setImmediate(() => listener("terminated"));
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
  expect(session.submissions.slice(1)).toEqual([{ type: "cancel", reason: "timeout", turnId }]);
  expect(report.result).toMatchObject({ outcome: "timeout" });
});

test("a session that can no longer write ends the turn as an error, with what was said so far and the cause", async () => {
  const fault = new AppError("storage.full", "the disk is full", { hint: "Make room." });
  const { report, session } = await play((submission, self) => {
    self.say(turnStarted(), answered("so far"));
    self.fail(fault);
    throw fault;
  });
  expect(report).toMatchObject({
    result: {
      outcome: "error",
      text: "so far",
      error: { code: "storage.full", message: "the disk is full", hint: "Make room." },
    },
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
  const { report, session } = await play(
    (submission, self) => {
      if (submission.type === "user-input") for (const stop of stops) stop("terminated");
      if (submission.type !== "cancel") return;
      self.say(turnEnded(submission.reason, { turnId: submission.turnId ?? turnId }));
      if (submission.turnId === other) self.say(turnStarted());
    },
    {
      target: resume,
      onStop: (listener) => {
        stops.push(listener);
        return () => undefined;
      },
    },
    under(other, { waits: true }),
  );
  const cancel = { type: "cancel", reason: "terminated" };
  expect([report.result.outcome, session.submissions.slice(2)]).toEqual([
    "terminated",
    [
      { ...cancel, turnId: other },
      { ...cancel, turnId },
    ],
  ]);
});

test("what cannot be opened is thrown, and nothing is shown", async () => {
  const unknown = new AppError("session.unknown", "no such session");
  const { engine, log } = new FakeSession(() => undefined);
  const client = { ...engine, open: () => Promise.reject(unknown) };
  await expect(play(() => undefined, { client, target: resume })).rejects.toBe(unknown);
  expect(log).toEqual([]);
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

test("a turn that an earlier process left open is resumed, and what it did counts once", async () => {
  const past = numbered([...opening(), turnStarted(), answered("so far")], 0);
  const { report, seen, session } = await play(
    (submission, self) => {
      if (submission.type === "resume") self.say(answered("more"), turnEnded("done"));
    },
    { target: resume, content: [] },
    under(turnId, { past, waits: true }),
  );
  expect(report.result).toMatchObject({ outcome: "done", text: "more", modelCalls: 2, costUsd: 0.5 });
  expect(typesOf(seen)).toEqual([
    "opened",
    "before turn-started",
    "before step-completed",
    "step-completed",
    "turn-ended",
    "finished",
  ]);
  expect(session.submissions).toEqual([{ type: "resume" }]);
});

test("without words there must be a turn to continue with; the session is given back", async () => {
  const session = new FakeSession(() => undefined);
  await expect(play(() => undefined, { client: session.engine, target: resume, content: [] })).rejects.toMatchObject({
    code: "usage.invalid",
  });
  expect(session.log).toEqual(["open resume cli", "close"]);
});
