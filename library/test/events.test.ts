import { expect, test } from "vitest";
import type { Engine, EngineEventName, EnginePlugin } from "../src/index.ts";
import { bell, newPlace, rehearse, ringing } from "./library-place.ts";

const names: readonly EngineEventName[] = [
  "engine.started",
  "engine.stopped",
  "message.in",
  "message.out",
  "tool.gated",
  "tool.allowed",
  "tool.denied",
  "approval.requested",
  "approval.resolved",
];

/** What an engine emits, each as a line. */
function listening(engine: Engine): string[] {
  const lines: string[] = [];
  for (const name of names)
    engine.events.on(name, (event) => {
      const shown = Object.entries(event).filter(([key]) => ["text", "tool", "via", "reason", "answer"].includes(key));
      lines.push([name, ...shown.map(([, value]) => String(value))].join(" "));
    });
  return lines;
}

const gated = ["tool.gated ring_bell", "approval.requested"];

test("a program receives words, calls, questions and answers in their order, in a second turn as in the first", async () => {
  const { tool, rung } = bell();
  const engine = newPlace().engine(await rehearse([...ringing, ...ringing]), {
    tools: [tool],
    onApproval: ({ digest }) =>
      rung.length === 0 ? { type: "approve", digest } : { type: "deny", message: "Enough." },
  });
  const lines = listening(engine);
  const session = await engine.open();
  expect(lines.splice(0)).toEqual(["engine.started"]);
  await session.send("Ring.").result();
  expect(lines.splice(0)).toEqual([
    "message.in Ring.",
    ...gated,
    "approval.resolved approve",
    "tool.allowed ring_bell approval",
    "message.out It rang twice.",
  ]);
  await session.send("Again.").result();
  const [denied] = lines.filter((line) => line.startsWith("tool.denied"));
  expect(denied).toMatch(/^tool.denied ring_bell .*Enough\./);
  expect(lines.splice(0).filter((line) => line !== denied)).toEqual([
    "message.in Again.",
    ...gated,
    "approval.resolved deny",
    "message.out It rang twice.",
  ]);
  await engine.shutdown();
  await engine.shutdown();
  expect(lines).toEqual(["engine.stopped"]);
});

test("an answer reaches the engine that resumes the session, also where another one asked", async () => {
  const { tool } = bell();
  const place = newPlace();
  const model = await rehearse(ringing);
  const asking = place.engine(model, { tools: [tool], onApproval: () => undefined });
  const asked = new Promise((resolve) => asking.events.on("approval.requested", resolve));
  const first = await asking.open();
  first.send("Ring.");
  await asked;
  await asking.shutdown();
  const answering = place.engine(model, {
    tools: [tool],
    onApproval: ({ digest }) => ({ type: "approve", digest }),
  });
  const lines = listening(answering);
  const ended = new Promise((resolve) => answering.events.on("message.out", resolve));
  await answering.open({ type: "resume", id: first.id });
  await ended;
  expect(lines).toEqual([
    "engine.started",
    "approval.resolved approve",
    "tool.allowed ring_bell approval",
    "message.out It rang twice.",
  ]);
});

test("handlers are apart: one that throws or spoils its event harms neither the turn nor another, and one that left receives nothing", async () => {
  const { tool, rung } = bell();
  const [reported, received]: [string[], unknown[]] = [[], []];
  const plugin: EnginePlugin = {
    name: "listener",
    version: "1",
    initialize: ({ events }) => {
      events.on("tool.gated", (event) => received.push(event));
      expect(() => events.emit("tool.allowed", {})).toThrow("only the engine emits tool.allowed");
    },
  };
  const engine = newPlace().engine(await rehearse([...ringing, ...ringing]), {
    tools: [tool],
    plugins: [plugin],
    set: { "permissions.allow": ["ring_bell"] },
    report: (error) => reported.push(String(error)),
  });
  engine.events.on("tool.gated", () => {
    throw new Error("thrown");
  });
  engine.events.on("tool.gated", async () => await Promise.reject(new Error("rejected")));
  const leave = engine.events.on("tool.gated", ({ input = {} }) => {
    Object.assign(input, { times: 100 });
    received.push("the one that leaves");
  });
  engine.events.on("tool.gated", ({ input }) => void received.push(input));
  const session = await engine.open();
  await session.send("Ring.").result();
  expect(rung).toEqual([2]);
  expect(received.splice(0)).toMatchObject([
    "the one that leaves",
    { times: 2 },
    { tool: "ring_bell", input: { times: 2 } },
  ]);
  leave();
  await session.send("Ring.").result();
  expect(received).toMatchObject([{ times: 2 }, { tool: "ring_bell" }]);
  expect(reported).toEqual(["Error: thrown", "Error: rejected", "Error: thrown", "Error: rejected"]);
});
