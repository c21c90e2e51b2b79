import { evolve } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { HookEntry } from "@capstan/protocol";
import {
  cancels,
  checkInvariants,
  packed,
  play,
  type Played,
  playOn,
  receives,
  restarts,
  says,
  sessionConfig,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const hook: HookEntry = { id: "h", event: "BeforeModelCall", matcher: "", name: "mine", by: "user" };
const config = sessionConfig({ hooks: [hook] });

function answered(played: Played): Stimulus {
  const run = played.state.hooks?.open.at(-1)?.runId ?? "none";
  return { type: "hooks-ended", runId: run, outcomes: [], answer: {} };
}

/** The process died in the middle of an answer, and the next step waits for its hooks. */
function brokenOff(): Played {
  const asked = play([says("t1"), packed("t1")], config);
  const streaming = playOn(asked, answered(asked));
  const shown = playOn(streaming, receives("t1.s1", [{ type: "text-delta", delta: "half an ans" }]));
  return playOn(shown, restarts);
}

function abandoned({ journal }: Played): number {
  return journal.filter(({ type }) => type === "step-abandoned").length;
}

test("an answer that broke off is over once, whatever comes while the next step waits for its hooks", () => {
  const waiting = brokenOff();
  expect({ steps: abandoned(waiting), open: waiting.state.hooks?.open.length }).toEqual({ steps: 1, open: 1 });
  const cancelled = playOn(waiting, cancels());
  expect(abandoned(cancelled)).toBe(1);
  expect(cancelled.journal.filter(({ type }) => type === "turn-ended")).toMatchObject([{ outcome: "interrupted" }]);
  expect(checkInvariants(cancelled.journal, evolve, () => true)).toEqual([]);
  const late = playOn(waiting, receives("t1.s1", [{ type: "text-delta", delta: "wer" }]));
  expect(late.last.records).toEqual([]);
});

test("killed again in that moment, the next step begins without the hooks, and once", () => {
  const again = playOn(brokenOff(), restarts);
  expect(abandoned(again)).toBe(1);
  expect(again.journal.filter(({ type }) => type === "step-started")).toMatchObject([
    { stepId: "t1.s1" },
    { stepId: "t1.s2" },
  ]);
  expect(again.last.effects.filter(({ type }) => type === "call-model")).toHaveLength(1);
  expect(checkInvariants(again.journal, evolve, () => true)).toEqual([]);
});
