import {
  AppError,
  type CancelReason,
  type JournalRecord,
  type SessionEvent,
  toStepId,
  toTurnId,
  type TurnId,
  userText,
} from "@capstan/protocol";
import { message, opening, sessionConfig, testUsage } from "@capstan/testkit";
import { expect, test, vi } from "vitest";
import { cancelGraceMs } from "../src/limits.ts";
import { runTurn } from "../src/turn/run-turn.ts";
import type { TurnReport, TurnRequest } from "../src/turn/turn-request.ts";
import {
  approval,
  FakeSession,
  type Found,
  identity,
  numbered,
  type Reaction,
  sessionId,
  turnEnded,
  turnId,
  turnStarted,
} from "./fake-session.ts";

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
async function play(react: Reaction, more: Partial<TurnRequest> = {}, found: Found = {}): Promise<Played> {
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

const resume = { type: "resume", id: sessionId } as const;

/** Every turn ends as soon as it begins. */
function endsAtOnce(...[submission, session]: Parameters<Reaction>): void {
  if (submission.type === "user-input") session.say(turnStarted(), turnEnded("done"));
}

function typesOf(seen: Played["seen"]): readonly string[] {
  return seen.map((item) => (typeof item === "string" ? item : item.record.type));
}

/** A turn with this id is under way. */
function under(id: TurnId, more: Found = {}): Found {
  return { ...more, snapshot: { activity: { type: "preparing", turnId: id }, ...more.snapshot } };
}

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

const elsewhere = { type: "process", processId: 7, frontend: "embed" } as const;

test("words that wait behind somebody else's turn are taken back by a request to stop, and that turn continues", async () => {
  const stops: ((reason: CancelReason) => void)[] = [];
  const { report, session } = await play(
    (submission, self) => {
      const origin = { frontend: "cli" };
      if (submission.type === "user-input") {
        self.say({ type: "turn-queued", turnId, content: submission.content, origin });
        for (const stop of stops) stop("interrupted");
      }
      if (submission.type === "queue-change")
        self.say({ type: "queue-changed", turnId, change: { type: "removed" }, origin });
    },
    {
      target: resume,
      onStop: (listener) => {
        stops.push(listener);
        return () => undefined;
      },
    },
    under(toTurnId("other"), { owner: elsewhere }),
  );
  expect(report.result).toMatchObject({ outcome: "interrupted", draft: "go", modelCalls: 0 });
  expect(session.submissions.slice(1)).toEqual([{ type: "queue-change", turnId, change: { type: "remove" } }]);
});

test("of a session that is shared, only this turn is counted", async () => {
  const { report } = await play(
    (submission, self) => {
      if (submission.type === "user-input")
        self.say(
          answered("theirs"),
          turnEnded("done", { turnId: toTurnId("other") }),
          turnStarted(),
          answered("ours"),
          turnEnded("done"),
        );
    },
    { target: resume },
    under(toTurnId("other"), { owner: elsewhere }),
  );
  expect(report.result).toMatchObject({ outcome: "done", text: "ours", modelCalls: 1, costUsd: 0.25 });
});

test("in a joined session only what is said again is set, before the words; what a process sets for itself is refused", async () => {
  const given = { patch: { mode: "plan", strategy: sessionConfig().strategy }, fixed: [], ignored: [] } as const;
  const { session } = await play(endsAtOnce, { target: resume, given }, { owner: elsewhere });
  expect(session.submissions.map(({ type }) => type)).toEqual(["set", "user-input"]);
  expect(session.submissions[0]).toEqual({ type: "set", settings: { mode: "plan" } });
  const fixed = { patch: {}, fixed: ["sandbox.mode"], ignored: [] };
  await expect(play(endsAtOnce, { target: resume, given: fixed }, { owner: elsewhere })).rejects.toMatchObject({
    code: "usage.invalid",
    message: expect.stringContaining("sandbox.mode"),
  });
  expect((await play(endsAtOnce, { target: resume, given: fixed })).report.result.outcome).toBe("done");
});

test("a submission that is refused ends the run, which says why and hands the words back", async () => {
  const { report } = await play((submission) =>
    submission.type === "user-input"
      ? { type: "refused", code: "input.queue-full", reason: "64 messages are queued already", hint: "Send it later." }
      : undefined,
  );
  expect(report.result).toMatchObject({
    outcome: "error",
    error: { code: "input.queue-full", message: "64 messages are queued already. Send it later." },
    draft: "go",
  });
});

test("a session that can only be read is no place to run a turn: nothing is shown or sent", async () => {
  const found = { owner: { type: "none", reason: "process 7 cannot be reached" } } as const;
  await expect(play(() => undefined, { target: resume }, found)).rejects.toMatchObject({
    code: "session.busy",
    message: "process 7 cannot be reached",
  });
});

test("the turn continues here when its owner is gone: what waits is resumed, once", async () => {
  const { report, seen, session } = await play(
    (submission, self) => {
      if (submission.type === "user-input") {
        self.say(turnStarted());
        setImmediate(() => self.change({ type: "here" }, true));
      }
      if (submission.type === "resume") self.say(answered("carried on"), turnEnded("done"));
    },
    { target: resume },
    { owner: elsewhere },
  );
  expect(report.result).toMatchObject({ outcome: "done", text: "carried on" });
  expect(session.submissions.map(({ type }) => type)).toEqual(["user-input", "resume"]);
  expect(typesOf(seen)).toContain("owner here");
});

test("what waits for a user in another process is announced, though nobody is asked here", async () => {
  const interaction = approval("i1");
  const { report, seen } = await play(
    (submission, self) => {
      if (submission.type !== "user-input") return;
      self.say(turnStarted(), { type: "interaction-opened", interaction, turnId });
      const answer = { type: "deny" } as const;
      setImmediate(() =>
        self.say(
          { type: "interaction-resolved", interactionId: interaction.id, answer, origin: { frontend: "embed" } },
          turnEnded("done"),
        ),
      );
    },
    { target: resume },
    { owner: elsewhere },
  );
  expect([report.result.outcome, typesOf(seen)]).toEqual([
    "done",
    expect.arrayContaining([`waiting ${interaction.id}`]),
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
