import { evolve, initialState, type Stimulus } from "@capstan/engine";
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
  const waiting: (() => void)[] = [];
  let stagings = 0;
  let begun = (): void => undefined;
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const stage = async (): Promise<Staged> => {
    stagings += 1;
    begun();
    await new Promise<void>((resolve) => waiting.push(resolve));
    return worked;
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
  await isBegun;
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
  stagings = 0;
  const first = calls.stage(effect, signal);
  await calls.stage(effect, signal);
  while (stagings === 0) await new Promise((turn) => setImmediate(turn));
  for (const go of waiting) go();
  await first;
  expect([stagings, sent]).toEqual([1, ["tool-staged"]]);
  const later = calls.stage(effect, signal);
  while (stagings === 1) await new Promise((turn) => setImmediate(turn));
  for (const go of waiting) go();
  await later;
  expect([stagings, sent]).toEqual([2, ["tool-staged", "tool-staged"]]);
  await session.close();
});
