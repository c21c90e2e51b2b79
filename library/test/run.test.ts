import { expect, test } from "vitest";
import { type RunCallbacks, toSessionId } from "../src/index.ts";
import { bell, newPlace, rehearse, ringing } from "./library-place.ts";

test("run is one turn with callbacks in the order of its events, in a session of its own, twice", async () => {
  const { tool, rung } = bell();
  const engine = newPlace().engine(await rehearse([...ringing, ...ringing]), {
    tools: [tool],
    onApproval: ({ digest }) => ({ type: "approve", digest }),
  });
  const sessions: string[] = [];
  for (const round of [1, 2]) {
    const said: string[] = [];
    const run = engine.run("Ring twice.", {
      onText: (piece) => said.push(piece),
      onToolCall: ({ action }) => said.push(`[${action.tool} ${JSON.stringify(action.arguments)}]`),
      onToolResult: ({ outcome }) => said.push(`[${outcome.type}]`),
      onResponse: ({ content }) => said.push(`[${content.map(({ type }) => type).join()}]`),
    });
    expect(await run.result()).toEqual({ type: "ended", outcome: "done", text: "It rang twice." });
    expect(said.join("")).toBe('[tool-call][ring_bell {"times":2}][done]It rang twice.[text]');
    expect(rung).toHaveLength(round);
    sessions.push(await run.sessionId());
  }
  expect(new Set(sessions).size).toBe(2);
});

test("run continues a session by its id, and one that the program has open stays open", async () => {
  const engine = newPlace().engine(
    await rehearse([{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }]),
  );
  const first = engine.run("first");
  await first.result();
  const id = await first.sessionId();
  expect(await engine.run("second", { session: id }).result()).toMatchObject({ text: "two" });
  const session = await engine.open({ type: "resume", id });
  expect(await engine.run("third", { session }).result()).toMatchObject({ text: "three" });
  const events = [];
  for await (const { record } of engine.run("fourth", { session })) events.push(record.type);
  expect([events.at(0), events.at(-1)]).toEqual(["turn-started", "turn-ended"]);
  await expect(engine.run("nowhere", { session: toSessionId("s-none") }).result()).rejects.toThrow(/s-none/);
});

test("a run names the model and the mode of its session, the next run in it finds them, and one that is refused leaves nothing open", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "one" }, { text: "two" }]));
  const steps: string[] = [];
  const onStepFinish: RunCallbacks["onStepFinish"] = ({ message }) => steps.push(message.origin.model);
  const session = await engine.open();
  const first = engine.run("first", { session, model: "anthropic/another", mode: "plan", onStepFinish });
  expect(await first.result()).toMatchObject({ text: "one" });
  expect(await engine.run("second", { session, onStepFinish }).result()).toMatchObject({ text: "two" });
  expect([await session.getMode(), ...steps]).toEqual(["plan", "another", "another"]);
  await expect(engine.run("third", { model: "nobody/any" }).result()).rejects.toThrow(/nobody\/any/);
});

test("an aborted signal cancels the turn, and what a callback throws is thrown when the turn is over", async () => {
  const { tool } = bell();
  const engine = newPlace().engine(await rehearse([...ringing.slice(0, 1), { text: "an answer" }]), {
    tools: [{ ...tool, execute: (_args, { signal }) => untilStopped(signal) }],
    onApproval: ({ digest }) => ({ type: "approve", digest }),
  });
  const controller = new AbortController();
  const run = engine.run("go", { signal: controller.signal, onToolCall: () => controller.abort() });
  expect(await run.result()).toMatchObject({ type: "ended", outcome: "interrupted" });
  const before = AbortSignal.abort(new Error("not at all"));
  await expect(engine.run("go", { signal: before }).result()).rejects.toThrow("not at all");
  const throwing = engine.run("go", {
    onText: () => {
      throw new Error("mine");
    },
  });
  await expect(throwing.result()).rejects.toThrow("mine");
});

test("configuration and mode are read and changed for sessions that are opened afterwards; what is wrong changes nothing", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]), { mode: "plan" });
  const before = await engine.open();
  expect([await engine.getMode(), await before.getMode()]).toEqual(["plan", "plan"]);
  await engine.setMode("accept-edits");
  await engine.setConfig("limits.max_model_calls_per_turn", 7);
  const key: string = "limits.max_model_calls_per_turn";
  await expect(engine.setConfig(key, "many")).rejects.toThrow(/max_model_calls_per_turn/);
  await expect(engine.getConfig("limits.none")).rejects.toThrow(/limits.none/);
  const most: number | null = await engine.getConfig("limits.max_model_calls_per_turn");
  expect(most).toBe(7);
  const after = await engine.open();
  expect((await after.client.snapshot()).config).toMatchObject({
    mode: "accept-edits",
    limits: { maxModelCallsPerTurn: 7 },
  });
  expect(await before.getMode()).toBe("plan");
  await before.setMode("default");
  expect([await before.getMode(), await after.getMode()]).toEqual(["default", "accept-edits"]);
});

test("the tools that models are offered have the program's and its plugins' among them", async () => {
  const { tool } = bell();
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]), {
    plugins: [{ name: "ringer", version: "1", initialize: (context) => context.registerTool(tool) }],
  });
  const names = (await engine.getTools()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["read_file", "ring_bell"]));
});

function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
}
