import { evolve } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { HookAnswer, HookEntry, HookOwner, JournalRecord, RuleVerdict } from "@capstan/protocol";
import {
  action,
  call,
  callAnswer,
  checkInvariants,
  completes,
  packed,
  play,
  type Played,
  playOn,
  prepared,
  restarts,
  says,
  sessionConfig,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const entry = (event: HookEntry["event"]): HookEntry => ({ id: event, event, matcher: "", name: event, by: "user" });
const fromTools = prepared("t1.s1", { c1: action("change", { path: "a.txt" }) });

/** A session that asks before files change, up to the moment in which its hooks are asked about such a call. */
function asking(...events: readonly HookEntry["event"][]): Played {
  const config = sessionConfig({ mode: "default", hooks: events.map(entry) });
  const model = completes("t1.s1", callAnswer([call("c1", "change", { path: "a.txt" })]));
  return play([says("t1"), packed("t1"), model, fromTools], config);
}

function answers({ state }: Played, answer: HookAnswer): Stimulus {
  return { type: "hooks-ended", runId: state.hooks?.open.at(-1)?.runId ?? "none", outcomes: [], answer };
}

function say(verdict: RuleVerdict, by: HookOwner = "user"): HookAnswer {
  return { verdict: { verdict, reason: "the hook", by } };
}

/** The hooks have answered, and their call is prepared again. */
function after(played: Played, answer: HookAnswer): Played {
  return playOn(playOn(played, answers(played, answer)), fromTools);
}

function count({ journal }: Played, type: JournalRecord["type"]): number {
  return journal.filter((record) => record.type === type).length;
}

function fate(played: Played): object {
  return {
    asked: count(played, "hook-started"),
    questions: count(played, "interaction-opened"),
    denied: count(played, "tool-finished"),
    allowed: played.journal.some((record) => record.type === "tool-decided" && record.judgement.verdict === "allow"),
  };
}

const asked = { asked: 1, questions: 1, denied: 0, allowed: false };

test.each([
  ["allows", say("allow"), { asked: 1, questions: 0, denied: 0, allowed: true }],
  ["denies", say("deny"), { asked: 1, questions: 0, denied: 1, allowed: false }],
  ["gives no answer", {}, asked],
  ["does not know", say("ask"), asked],
  ["allows, and is the workspace's", say("allow", "workspace"), asked],
] as const)("a question that is about to be asked is put to hooks first: one that %s", (_, answer, expected) => {
  const waiting = asking("PermissionRequest");
  expect(fate(waiting)).toEqual({ asked: 1, questions: 0, denied: 0, allowed: false });
  const answered = after(waiting, answer);
  expect(fate(answered)).toEqual(expected);
  expect(checkInvariants(answered.journal, evolve, () => true)).toEqual([]);
  // Whatever comes again, hooks are not asked about the same call twice.
  expect(fate(playOn(answered, fromTools))).toEqual(expected);
});

test("a call that no user would be asked about is not put to them", () => {
  const config = sessionConfig({ mode: "accept-edits", hooks: [entry("PermissionRequest")] });
  const model = completes("t1.s1", callAnswer([call("c1", "look", {})]));
  const reads = prepared("t1.s1", { c1: action("look", {}, { effect: "read" }) });
  expect(count(play([says("t1"), packed("t1"), model, reads], config), "hook-started")).toBe(0);
});

test("what a hook before it wanted to be asked about is asked about, whatever this one says", () => {
  const guarded = after(asking("PreToolUse", "PermissionRequest"), say("ask"));
  expect(fate(guarded)).toMatchObject({ asked: 2, questions: 0 });
  expect(fate(after(guarded, say("allow")))).toMatchObject({ asked: 2, questions: 1, allowed: false });
});

test("killed while hooks are asked, the question goes to the user, and no hook runs again", () => {
  const waiting = asking("PermissionRequest");
  const restarted = playOn(playOn(waiting, restarts), fromTools);
  expect(fate(restarted)).toEqual(asked);
  expect(fate(playOn(playOn(restarted, restarts), fromTools))).toMatchObject({ asked: 1, allowed: false });
});
