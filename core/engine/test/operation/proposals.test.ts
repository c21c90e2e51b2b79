import { evolve, initialState, openProposals } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { FileEffect } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  checkInvariants,
  completes,
  fileEffect,
  packed,
  play,
  playOn,
  prepared,
  restarts,
  restores,
  says,
  sessionConfig,
  staged,
  submit,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const config = sessionConfig({ strategy: "review", policy: { rules: [allowing("change")] } });
const change = action("change", { effect: "write" });

/** A turn that proposes this, each in a call of its own. */
function proposing(id: string, ...calls: readonly (readonly FileEffect[])[]): readonly Stimulus[] {
  const ids = calls.map((_, at) => `${id}c${at}`);
  return [
    says(id),
    packed(id),
    completes(`${id}.s1`, callAnswer(ids.map((callId) => call(callId, "change", { n: callId })))),
    prepared(`${id}.s1`, Object.fromEntries(ids.map((callId) => [callId, { ...change, digest: callId }]))),
    ...calls.map((proposed, at) => staged(`${id}c${at}`, { proposed })),
  ];
}

const settle = (decision: "apply" | "refuse", files?: readonly (readonly [string, string])[]): Stimulus =>
  submit({
    type: "settle-proposals",
    decision,
    ...(files === undefined ? {} : { files: files.map(([proposal, path]) => ({ proposal, path })) }),
  });

const made = fileEffect("/work/made", null, "1");
const edited = fileEffect("/work/made", "1", "2");
const removed = fileEffect("/work/old", "x", null);
const proposed = play(proposing("t1", [made], [edited, removed]), config);

test("what calls propose waits, and the turn ends as proposed", () => {
  expect(openProposals(proposed.state)).toMatchObject([
    { id: "p1", turnId: "t1", callId: "t1c0", files: [made] },
    { id: "p2", turnId: "t1", callId: "t1c1", files: [edited, removed] },
  ]);
  expect(proposed.last.records.at(-1)).toMatchObject({ type: "turn-ended", outcome: "proposed" });
  expect(proposed.state.turns.at(-1)?.effects).toEqual([]);
});

test("applying writes each file once, whatever number of calls changed it; the turn can then be taken back", () => {
  const joined = [fileEffect("/work/made", null, "2"), removed];
  const applying = playOn(proposed, settle("apply"));
  expect(applying.last.effects).toEqual([{ type: "restore-files", restoreId: "a1", files: joined }]);
  const applied = playOn(applying, restores("a1", joined));
  expect(applied.state.operation).toEqual({ type: "idle" });
  expect(openProposals(applied.state)).toEqual([]);
  expect(applied.state.turns.at(-1)?.effects).toEqual(joined);
  expect(JSON.stringify(applied.state.conversation.at(-1))).toContain("applied these proposed changes");
  expect(checkInvariants(applied.journal)).toEqual([]);
});

test("a file that was left alone stays proposed, and can be refused", () => {
  const applying = playOn(proposed, settle("apply"));
  const conflict = { path: "/work/old", reason: "somebody else changed it" };
  const applied = playOn(applying, restores("a1", [fileEffect("/work/made", null, "2")], [conflict]));
  expect(openProposals(applied.state)).toMatchObject([{ id: "p2", files: [removed] }]);
  const refused = playOn(applied, settle("refuse"));
  expect([openProposals(refused.state), refused.last.effects]).toEqual([[], []]);
});

test("some files are applied and the others wait", () => {
  const applying = playOn(proposed, settle("apply", [["p2", "/work/old"]]));
  const applied = playOn(applying, restores("a1", [removed]));
  expect(openProposals(applied.state)).toMatchObject([
    { id: "p1", files: [made] },
    { id: "p2", files: [edited] },
  ]);
});

test("of two proposals from the same state one is written, and the other waits", () => {
  const other = fileEffect("/work/made", null, "other");
  const both = play([...proposing("t1", [made]), ...proposing("t2", [other])], config);
  const applying = playOn(both, settle("apply"));
  expect(applying.last.effects).toEqual([{ type: "restore-files", restoreId: "a1", files: [made] }]);
  const applied = playOn(applying, restores("a1", [made]));
  expect(applied.last.records.at(-1)).toMatchObject({ conflicts: [{ path: "/work/made" }] });
  expect(openProposals(applied.state)).toMatchObject([{ id: "p2", files: [other] }]);
});

test("killed while files are written, they are written again; a late answer changes nothing", () => {
  const applying = playOn(proposed, settle("apply"));
  const again = playOn(applying, restarts);
  expect(again.last.effects).toEqual(applying.last.effects);
  const applied = playOn(again, restores("a1", [fileEffect("/work/made", null, "2"), removed]));
  expect(playOn(applied, restores("a1", [])).last.records).toEqual([]);
});

test("what is not proposed cannot be settled, nor anything twice, nor while a turn is open", () => {
  const refused = playOn(proposed, settle("refuse"));
  expect(playOn(refused, settle("apply")).last.refusal).toMatchObject({ code: "proposals.nothing" });
  expect(playOn(proposed, settle("apply", [["p1", "/work/old"]])).last.refusal).toMatchObject({
    code: "proposals.nothing",
  });
  expect(playOn(playOn(proposed, says("t2")), settle("apply")).last.refusal).toMatchObject({ code: "session.waiting" });
});

test("a turn that is taken back takes its proposals along, and brings them back", () => {
  const back = playOn(proposed, submit({ type: "rewind", keepTurns: 0, conversation: true, files: true }));
  expect(openProposals(back.state)).toEqual([]);
  const forth = playOn(back, submit({ type: "unwind" }));
  expect(openProposals(forth.state)).toHaveLength(2);
});

test("any beginning of the journal folds, and says the same as the whole one did there", () => {
  const journal = playOn(playOn(proposed, settle("apply")), restores("a1", [removed])).journal;
  const states = journal.map((_, at) => journal.slice(0, at + 1).reduce(evolve, initialState));
  expect(states.at(-1)?.proposals).toMatchObject({ made: 2, applies: 1, open: [{ id: "p1" }, { id: "p2" }] });
});
