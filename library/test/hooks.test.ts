import { expect, test } from "vitest";
import type { EngineOptions, JsonObject } from "../src/index.ts";
import { bell, newPlace, rehearse, ringing } from "./library-place.ts";

const allowing: EngineOptions = { onApproval: ({ digest }) => ({ type: "approve", digest }) };

const silent = (): undefined => undefined;

test("functions are hooks: they run in their order, see what those before them changed, and what they answer counts, also in a second turn", async () => {
  const { tool, rung } = bell();
  const seen: string[] = [];
  const model = await rehearse([...ringing, ...ringing]);
  const engine = newPlace().engine(model, {
    ...allowing,
    tools: [tool],
    hooks: [
      { event: "UserPromptSubmit", run: ({ prompt }) => `The user said ${JSON.stringify(prompt)}` },
      {
        preToolUse: ({ tool_input: input }) => {
          seen.push(`first ${JSON.stringify(input)}`);
          return { hookSpecificOutput: { updatedInput: { times: 3 } } };
        },
      },
      async (bus) => {
        await Promise.resolve();
        bus.on("PreToolUse", ({ tool_input: input }) => void seen.push(`second ${JSON.stringify(input)}`), {
          matcher: "ring_bell",
        });
        bus.on("PreToolUse", () => void seen.push("never"), { matcher: "Bash" });
      },
    ],
    toolCallHooks: {
      onBeforeToolCall: (name, input) => {
        seen.push(`last ${name} ${JSON.stringify(input)}`);
        return { times: Number(input["times"]) + 1 };
      },
      onAfterToolCall: (_name, _input, output) => `${JSON.stringify(output)}, as it should`,
    },
  });
  const session = await engine.open();
  for (const turn of [1, 2]) {
    expect(await session.send("Ring.").result()).toMatchObject({ outcome: "done" });
    expect(rung).toEqual(Array.from({ length: turn }, () => 4));
    expect(seen.splice(0)).toEqual(['first {"times":2}', 'second {"times":3}', 'last ring_bell {"times":3}']);
  }
  const sent = JSON.stringify(model.exchanges.map(({ body }) => body));
  expect(sent).toMatch(/The user said [\\"]+Ring\./);
  expect(sent).toMatch(/rang 4 times[\\"]+, as it should/);
});

test("a hook that throws refuses its call in its words; one that only traces changes nothing, and neither does what it throws", async () => {
  const { tool, rung } = bell();
  const model = await rehearse([...ringing, ...ringing]);
  const traced: unknown[] = [];
  let isShut = true;
  const engine = newPlace().engine(model, {
    ...allowing,
    tools: [tool],
    plugins: [
      {
        name: "porter",
        version: "1.0.0",
        initialize: (context) =>
          context.registerHook({
            event: "beforeToolCall",
            run: () => {
              if (isShut) throw new Error("the house is asleep");
            },
          }),
      },
    ],
    hooks: [
      {
        onToolCall: ({ tool_name: name }): JsonObject => {
          traced.push(name);
          throw new Error("a tracer that is broken");
        },
      },
    ],
  });
  expect((await engine.getPluginStatus()).hooks).toEqual({ beforeToolCall: 1 });
  const session = await engine.open();
  await session.send("Ring.").result();
  expect(rung).toEqual([]);
  expect(JSON.stringify(model.exchanges.at(-1)?.body)).toContain("the house is asleep");
  isShut = false;
  expect(await session.send("Ring.").result()).toMatchObject({ outcome: "done" });
  expect(rung).toEqual([2]);
  expect(traced).toEqual(["ring_bell"]);
});

test("a hook that gives no answer in time is a question, which nobody answers here: the call is denied, and the turn continues", async () => {
  const { tool, rung } = bell();
  const aborted: boolean[] = [];
  const engine = newPlace().engine(await rehearse(ringing), {
    tools: [tool],
    set: { "permissions.allow": ["ring_bell"] },
    hooks: [
      {
        event: "PreToolUse",
        timeoutMs: 20,
        run: async (_input, { signal }) =>
          await new Promise<void>(() => {
            signal.addEventListener("abort", () => aborted.push(signal.aborted));
          }),
      },
    ],
  });
  expect(await engine.run("Ring.").result()).toMatchObject({ outcome: "tool-denied" });
  expect({ rung, aborted }).toEqual({ rung: [], aborted: [true] });
});

test("an event that is none, and two hooks of one name, are said before a session begins", async () => {
  const model = await rehearse(ringing);
  await expect(
    newPlace()
      .engine(model, { hooks: [{ event: "PreToolUsed", run: silent }] })
      .open(),
  ).rejects.toThrow('there is no event "PreToolUsed"');
  const twice = { event: "Stop", name: "mine", run: silent };
  await expect(
    newPlace()
      .engine(model, { hooks: [twice, twice] })
      .open(),
  ).rejects.toThrow('two named "mine"');
});
