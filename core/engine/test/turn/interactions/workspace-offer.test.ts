/** A question of mode `default` offers all changes in this workspace, in this session: mode `accept-edits` from then on. */
import { action, answers, call, callAnswer, completes, packed, play, playOn, prepared, says } from "@capstan/testkit";
import { snapshot } from "@capstan/session";
import { expect, test } from "vitest";

const first = action("change", { path: "a.txt" });
const second = action("change", { path: "b.txt" });
const act = action("act");

const batch = [
  says("t1"),
  packed("t1"),
  completes("t1.s1", callAnswer([call("a", "change"), call("b", "change"), call("c", "act")])),
  prepared("t1.s1", { a: first, b: second, c: act }),
];
const all = answers("1-t1", { type: "approve", digest: first.digest, scope: "workspace" });

test("it is offered with what accept-edits would let pass, and with nothing else", () => {
  const { state } = play(batch);
  const offers = snapshot(state, 0).pending.map(({ request }) => request.type === "approval" && request.workspaceOffer);
  expect(offers).toEqual([true, true, undefined]);
});

test("one answer settles every question that the mode answers; what leaves the workspace is still asked", () => {
  const { last, state } = play([...batch, all]);
  expect(last.records).toMatchObject([
    { type: "interaction-resolved", interactionId: "1-t1", answer: { type: "approve", scope: "workspace" } },
    { type: "session-configured", config: { mode: "accept-edits" } },
    {
      type: "interaction-resolved",
      interactionId: "2-t1",
      answer: { type: "approve", digest: second.digest },
      origin: { frontend: "cli", user: "tester" },
    },
  ]);
  expect(state.config?.mode).toBe("accept-edits");
  expect(snapshot(state, 0).pending.map(({ id }) => id)).toEqual(["3-t1"]);
  expect(state.grants).toEqual([]);
});

test("a change prepared later in the same turn is not asked about", () => {
  const waiting = play([...batch.slice(0, 3), prepared("t1.s1", { a: first })]);
  const accepted = playOn(waiting, all);
  const { last } = playOn(accepted, prepared("t1.s1", { b: second }));
  expect(last.records).toMatchObject([{ type: "tool-decided", callId: "b", judgement: { verdict: "allow" } }]);
});

test("where it is not offered, the answer counts for nothing", () => {
  const other = answers("3-t1", { type: "approve", digest: act.digest, scope: "workspace" });
  const { last, state } = play([...batch, other]);
  expect(last).toMatchObject({ records: [], effects: [] });
  expect(state.config?.mode).toBe("default");
});
