import { evolve, initialState } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { Staged } from "@capstan/ports";
import {
  allowing,
  call,
  callAnswer,
  scriptedTools,
  sequentialChance,
  sessionConfig,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { createRedactor } from "@capstan/runtime";
import { ToolCalls } from "../../src/effects/tool-calls.ts";
import { journalOf, openSession, say } from "../open-session.ts";

const worked: Staged = { settle: { files: [] }, changes: [], proposal: "", data: null };

test("a call that is asked for while it is being worked out is worked out once; asked for later, once more", async () => {
  const staged = { calls: 0 };
  const waiting: (() => void)[] = [];
  const stage = async (): Promise<Staged> => {
    staged.calls += 1;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return worked;
  };
  const untilStaged = async (calls: number): Promise<void> => {
    while (staged.calls < calls) await new Promise((turn) => setImmediate(turn));
  };
  const { session, store, clock, action } = await openSession({
    tools: scriptedTools({ act: { stage } }),
    config: sessionConfig({ policy: { rules: [allowing("act")] } }),
    script: [
      { type: "answer", finish: callAnswer([call("a", "act")]) },
      { type: "answer", finish: textAnswer("done") },
    ],
  });
  await say(session, "t1");
  await untilStaged(1);
  const state = (await journalOf(store)).reduce(evolve, initialState);
  if (state.operation.type !== "tool-loop") throw new Error("the call is open");
  const [pending] = state.operation.batch.calls;
  if (pending?.type !== "allowed") throw new Error("the call is allowed");

  const sent: Stimulus["type"][] = [];
  const calls = new ToolCalls({
    ports: { ...action, store, clock, chance: sequentialChance(), redact: createRedactor([]), report: () => undefined },
    state: () => state,
    submit: async ({ type }) => void sent.push(type),
    mayAct: async () => true,
  });
  const effect = { type: "stage-tool", callId: pending.call.callId, action: pending.action } as const;
  const { signal } = new AbortController();
  staged.calls = 0;
  const first = calls.stage(effect, signal);
  await calls.stage(effect, signal);
  await untilStaged(1);
  for (const go of waiting) go();
  await first;
  expect([staged.calls, sent]).toEqual([1, ["tool-staged"]]);
  const later = calls.stage(effect, signal);
  await untilStaged(2);
  for (const go of waiting) go();
  await later;
  expect([staged.calls, sent]).toEqual([2, ["tool-staged", "tool-staged"]]);
  await session.close();
});
