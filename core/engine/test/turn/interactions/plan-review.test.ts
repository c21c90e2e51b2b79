import { conversation, evolve, initialState, modelRequest, type SessionState, snapshot } from "@capstan/session";
import type { InteractionAnswer, JournalRecord, SessionConfig } from "@capstan/protocol";
import {
  action,
  answers,
  call,
  callAnswer,
  checkInvariants,
  completes,
  configVariant,
  type Played,
  packed,
  play,
  playOn,
  playToRest,
  prepared,
  restarts,
  says,
  submit,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const planning: SessionConfig = {
  ...configVariant(0),
  mode: "plan",
  askPolicy: "ask",
  strategy: "parallel-reads",
  policy: { approval: "default", rules: [], yolo: false },
};
const plan = action("present", { path: "a.txt" });
const { digest } = plan;
const id = "1-t1";

/** A turn that looks around, notes a task and presents its plan, with other calls in the same answer. */
const presented = [
  says("t1"),
  packed("t1", { date: "Monday" }),
  completes("t1.s1", callAnswer([call("n", "note")])),
  prepared("t1.s1", { n: action("note") }),
  completes("t1.s2", callAnswer([call("p", "present", { path: "a.txt" }), call("l", "look")])),
  prepared("t1.s2", { p: plan, l: action("look") }),
];

type Decision = Extract<InteractionAnswer, { type: "plan" }>["decision"];

function decides(decision: Decision, more: Partial<Extract<InteractionAnswer, { type: "plan" }>> = {}) {
  return answers(id, { type: "plan", digest, decision, ...more });
}

function carriedOut(journal: readonly JournalRecord[]): readonly string[] {
  return journal.flatMap((record) =>
    record.type === "turn-started" && record.plan !== undefined ? [record.turnId] : [],
  );
}

function turns(journal: readonly JournalRecord[]): readonly string[] {
  return journal.flatMap((record) => (record.type === "turn-started" ? [record.turnId] : []));
}

function namesOf(state: SessionState): readonly string[] {
  return modelRequest(state).tools.map(({ name }) => name);
}

test("an approved plan ends its turn, leaves plan mode, and begins one turn with exactly its words", () => {
  const { journal, state, last } = play([...presented, decides("proceed")], planning);
  expect(last.records.map(({ type }) => type)).toEqual([
    "interaction-resolved",
    "tool-finished",
    "tool-finished",
    "turn-ended",
    "session-configured",
    "turn-started",
  ]);
  expect(journal.at(-1)).toMatchObject({
    turnId: "1-t1.plan",
    follows: "t1",
    plan: { interactionId: id, digest, clean: false },
    content: [{ type: "text", text: "Carry out this plan, which I have approved:\n\n1. write a.txt" }],
  });
  expect(state.config?.mode).toBe("accept-edits");
  expect(namesOf(state)).toContain("change");
  expect(namesOf(state)).not.toContain("present");
  expect(checkInvariants(journal)).toEqual([]);
});

test("the other calls of the answer that presented the plan do not run", () => {
  const { journal, effects } = play([...presented, decides("proceed")], planning);
  expect(effects.filter(({ type }) => type === "run-tool" || type === "stage-tool")).toEqual([]);
  expect(journal.find((record) => record.type === "tool-finished" && record.callId === "l")).toMatchObject({
    outcome: { type: "cancelled" },
  });
});

test("a second tap, a second answerer and a repeated answer after a restart begin nothing more", () => {
  const once = play([...presented, decides("proceed")], planning);
  const again = [decides("proceed"), decides("proceed-clean"), restarts, decides("cancel"), decides("adjust")];
  const played = again.reduce(playOn, once);
  expect(carriedOut(played.journal)).toEqual(["1-t1.plan"]);
  expect(carriedOut(playToRest(played, 50).journal)).toEqual(["1-t1.plan"]);
});

test.each<Decision>(["proceed", "proceed-clean"])(
  "%s: killed after any record, the session carries the plan out once, before what waits in line",
  (decision) => {
    const { journal } = play([...presented, says("t2"), decides(decision)], planning);
    const approvedAt = journal.findIndex((record) => record.type === "interaction-resolved");
    for (let length = approvedAt + 1; length <= journal.length; length += 1) {
      const cut = restarted(journal.slice(0, length));
      const rested = playToRest(cut, 60);
      const [first, ...rest] = turns(rested.journal).slice(1);
      expect([first, rest]).toEqual(["1-t1.plan", ["t2"]]);
      expect(checkInvariants(rested.journal)).toEqual([]);
      expect(rested.state.config?.mode).toBe("accept-edits");
    }
  },
);

test("killed anywhere before the answer, the question waits, and its answer counts once", () => {
  const { journal } = play(presented, planning);
  const opened = journal.findIndex((record) => record.type === "interaction-opened");
  const cut = [restarts, restarts, decides("proceed"), decides("proceed")].reduce(
    playOn,
    restarted(journal.slice(0, opened + 1)),
  );
  expect(carriedOut(cut.journal)).toEqual(["1-t1.plan"]);
});

test("a clean context shows the model one line, the task list and the plan, and repeats the facts", () => {
  const played = play([...presented, decides("proceed-clean"), packed("1-t1.plan", { date: "Monday" })], planning);
  const shown = JSON.stringify(modelRequest(played.state).messages);
  expect(modelRequest(played.state).messages).toEqual([
    {
      role: "user",
      content: [
        {
          type: "text",
          text: "[Summary of the conversation so far]\nBefore this, a plan was worked out and approved. It follows; nothing else was done.\n\nThe task list:\n- [>] do file.txt",
        },
        { type: "text", text: "Monday" },
        { type: "text", text: "Carry out this plan, which I have approved:\n\n1. write a.txt" },
      ],
    },
  ]);
  expect(shown).not.toContain("words of t1");
  expect(shown).not.toContain("Plan mode");
  // The originals stay.
  expect(JSON.stringify(played.state.conversation)).toContain("words of t1");
});

test("without a clean context the model is informed that plan mode is over", () => {
  const played = play([...presented, decides("proceed"), packed("1-t1.plan")], planning);
  expect(modelRequest(played.state).system).toBe(planning.systemPrompt);
  expect(JSON.stringify(conversation(played.state).at(-1))).toContain("[Plan mode is over:");
});

test("a plan that was found nowhere is never shown as a clean context", () => {
  const session = { type: "exit-plan-mode", plan: "Plan is ready for review.", source: "none" } as const;
  const none = action("present", {}, { session });
  const { state } = play(
    [
      ...presented.slice(0, 5),
      prepared("t1.s2", { p: none, l: action("look") }),
      answers(id, { type: "plan", digest: none.digest, decision: "proceed-clean" }),
    ],
    planning,
  );
  expect(state.summary).toBeNull();
  expect(JSON.stringify(state.conversation.at(-1))).toContain("Carry out the plan. I have approved it.");
});

test("cancelled, the session stays in plan mode and says nothing more", () => {
  const { journal, state } = play([...presented, decides("cancel")], planning);
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done", rolledBack: false });
  expect([state.config?.mode, state.operation.type, carriedOut(journal)]).toEqual(["plan", "idle", []]);
});

test("words of adjustment reach the model; the plan presented next is another, and the old answer no longer fits", () => {
  const revised = action("present", { path: "b.txt" });
  const adjusted = play([...presented, decides("adjust", { message: "use b.txt" })], planning);
  expect(adjusted.state.config?.mode).toBe("plan");
  const second = [
    completes("t1.s3", callAnswer([call("p2", "present", { path: "b.txt" })])),
    prepared("t1.s3", { p2: revised }),
  ].reduce(playOn, playToStep(adjusted));
  expect(JSON.stringify(second.state.conversation)).toContain("They said: use b.txt");
  expect(snapshot(second.state, 0).pending).toMatchObject([{ id: "2-t1", digest: revised.digest }]);
  const stale = [decides("proceed"), answers("2-t1", { type: "plan", digest, decision: "proceed" })].reduce(
    playOn,
    second,
  );
  expect(stale.journal).toEqual(second.journal);
  const right = playOn(second, answers("2-t1", { type: "plan", digest: revised.digest, decision: "proceed" }));
  expect(carriedOut(right.journal)).toEqual(["2-t1.plan"]);
  // A plan that was once to be changed is no denied call.
  const ended = right.journal.find((record) => record.type === "turn-ended");
  expect(ended).toMatchObject({ outcome: "done" });
});

/** The looks that the answer before asked for, done. */
function playToStep(played: Played): Played {
  const ended = playOn(played, {
    type: "tool-ended",
    callId: call("l", "look").callId,
    outcome: { type: "done", content: "seen" },
    changes: [],
    observed: [],
    durationMs: 1,
  });
  expect(ended.state.operation.type).toBe("streaming");
  return ended;
}

test("the mode to carry it out in is the user's: theirs in the answer, else theirs in the settings, else accept-edits", () => {
  const chosen = play([...presented, decides("proceed", { mode: "default" })], planning);
  expect(chosen.state.config?.mode).toBe("default");
  const left = [submit({ type: "configure", config: { ...planning, mode: "default" } }), decides("proceed")].reduce(
    playOn,
    play(presented, planning),
  );
  expect([left.state.config?.mode, carriedOut(left.journal)]).toEqual(["default", ["1-t1.plan"]]);
});

test("plan mode is left by a user's settings, too", () => {
  const played = play(
    [
      ...presented,
      decides("cancel"),
      submit({ type: "configure", config: { ...planning, mode: "default" } }),
      says("t2"),
      packed("t2"),
    ],
    planning,
  );
  expect(namesOf(played.state)).toContain("change");
  expect(JSON.stringify(conversation(played.state).at(-1))).toContain("[Plan mode is over:");
});

test("with nobody there the model is asked to answer with its plan, and the turn ends well", () => {
  const alone = { ...planning, askPolicy: "deny" } as const;
  const asked = play(presented, alone);
  const played = [completes("t1.s3", textAnswer("1. write a.txt"))].reduce(playOn, playToStep(asked));
  expect(JSON.stringify(played.state.conversation)).toContain("Give the whole plan as your answer");
  expect(played.journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
  expect(carriedOut(played.journal)).toEqual([]);
});

test("taken back and brought again: the turn that carries a plan out, with its clean context and its tasks", () => {
  const done = playToRest(play([...presented, decides("proceed-clean")], planning), 30);
  const noted = done.state.tasks;
  expect(done.state.summary).not.toBeNull();
  const back = playOn(done, submit({ type: "rewind", keepTurns: 1, conversation: true, files: false }));
  expect([back.state.summary, back.state.tasks, back.state.operation.type]).toEqual([null, noted, "idle"]);
  expect(JSON.stringify(modelRequest(back.state).messages)).toContain("words of t1");
  const first = playOn(back, submit({ type: "rewind", keepTurns: 0, conversation: true, files: false }));
  expect(first.state.tasks).toEqual([]);
  const forth = [submit({ type: "unwind" }), submit({ type: "unwind" })].reduce(playOn, first);
  expect([forth.state.summary, forth.state.tasks, forth.state.conversation]).toEqual([
    done.state.summary,
    noted,
    done.state.conversation,
  ]);
  // Neither way begins the plan's turn again.
  expect(carriedOut(playToRest(playOn(forth, restarts), 30).journal)).toEqual(["1-t1.plan"]);
});

/** The session as a process finds it that opens this journal. */
function restarted(journal: readonly JournalRecord[]): Played {
  const state = journal.reduce(evolve, initialState);
  return playOn({ journal, moves: [], state, effects: [], last: { records: [], effects: [] } }, restarts);
}
