import { type CancelReason, toTurnId } from "@capstan/protocol";
import { sessionConfig } from "@capstan/testkit";
import { expect, test } from "vitest";
import { approval, turnEnded, turnId, turnStarted } from "./fake-session.ts";
import { answered, play, resume, endsAtOnce, typesOf, under } from "./play-turn.ts";

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
