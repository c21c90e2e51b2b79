import type { ProgramTool, Tool } from "@capstan/ports";
import { quietContext } from "@capstan/testkit";
import { expect, test } from "vitest";
import { programSource } from "../../src/index.ts";
import { workspaceFixture } from "../workspace-fixture.ts";

const sample: ProgramTool = {
  name: "deploy",
  description: "Deploys.",
  inputSchema: { type: "object", properties: { to: { type: "string" } } },
  effect: "execute",
  execute: async ({ to }) => await Promise.resolve(`deployed to ${typeof to === "string" ? to : "nowhere"}`),
};

function adapted(changes: Partial<ProgramTool> = {}, outputBytes = 1000): Tool {
  const [tool] = programSource([{ ...sample, ...changes }], outputBytes).tools();
  if (tool === undefined) throw new Error("the source lost its tool");
  return tool;
}

async function run(tool: Tool, signal: AbortSignal, shown: string[] = []): ReturnType<Tool["run"]> {
  const fixture = workspaceFixture();
  const action = await fixture.prepare(tool, { to: "moon" });
  return await tool.run(action, undefined, {
    ...quietContext,
    workspace: fixture.workspace,
    signal,
    callId: "call-1",
    settle: { files: [] },
    onOutput: (_, text) => shown.push(text),
  });
}

const never = new AbortController().signal;

test("the action says exactly what will be executed, and does not change with the program's objects", async () => {
  const fixture = workspaceFixture();
  const args = { to: "moon" };
  const action = await fixture.prepare(adapted(), args);
  args.to = "mars";
  expect(action).toEqual({
    tool: "deploy",
    arguments: { to: "moon" },
    effect: "execute",
    risk: "high",
    paths: [],
    summary: 'deploy {"to":"moon"}',
    digest: action.digest,
  });
});

test("only what reads is offered in plan mode and runs without being asked", async () => {
  expect(adapted().definition.offered).toBe("not-plan");
  expect(adapted({ effect: "read" }).definition.offered).toBeUndefined();
  const risks = (["read", "write", "execute"] as const).map(
    async (effect) => (await workspaceFixture().prepare(adapted({ effect }), {})).risk,
  );
  expect(await Promise.all(risks)).toEqual(["low", "medium", "high"]);
});

test("what it answers is the result: a text, details for programs, a failure", async () => {
  expect(await run(adapted(), never)).toEqual({ status: "ok", content: "deployed to moon" });
  const detailed = { content: "two", details: { count: 2 } };
  expect(await run(adapted({ execute: async () => await Promise.resolve(detailed) }), never)).toEqual({
    status: "ok",
    ...detailed,
  });
  const failed = { content: "no such place", failed: true };
  expect(await run(adapted({ execute: async () => await Promise.resolve(failed) }), never)).toEqual({
    status: "failed",
    code: "tool.failed",
    content: "no such place",
  });
});

test("what it throws is a failure in its words, not the end of the session", async () => {
  const tool = adapted({
    execute: () => {
      throw new Error("the deck is on fire");
    },
  });
  expect(await run(tool, never)).toEqual({ status: "failed", code: "tool.failed", content: "the deck is on fire" });
});

test("a cancelled call ends at once with the reason, also where the program does not listen", async () => {
  const stop = new AbortController();
  const reason = new Error("cancelled");
  const deaf = adapted({
    execute: async (_args, context) => {
      stop.abort(reason);
      context.report("too late");
      return await new Promise<string>(() => undefined);
    },
  });
  const shown: string[] = [];
  await expect(run(deaf, stop.signal, shown)).rejects.toBe(reason);
  await expect(run(adapted(), stop.signal)).rejects.toBe(reason);
  expect(shown).toEqual([]);
});

test("a long answer is cut after a whole character, and says so", async () => {
  const tool = adapted({ execute: async () => await Promise.resolve("ż".repeat(600)) }, 1001);
  expect(await run(tool, never)).toEqual({ status: "ok", content: `${"ż".repeat(500)}\n[cut: 199 more bytes]` });
});

test("after a crash a call is in doubt, since nothing can say what became of it", () => {
  expect(Object.keys(adapted())).not.toContain("probe");
  expect(Object.keys(adapted())).not.toContain("stage");
});

test("a name of servers' tools and a schema that is no object are refused by name", () => {
  expect(() => adapted({ name: "mcp__github__merge" })).toThrow(/mcp__github__merge.*stands for servers/);
  expect(() => adapted({ inputSchema: { type: "string" } })).toThrow(/deploy.*type "object"/);
});

test("a result is held to the schema that its tool declares; what it said stays, and a failure is held to nothing", async () => {
  const outputSchema = {
    type: "object",
    properties: { url: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
    required: ["url"],
  };
  const answering = (answer: Awaited<ReturnType<ProgramTool["execute"]>>): Tool =>
    adapted({ outputSchema, execute: async () => await Promise.resolve(answer) });
  const result = async (answer: Awaited<ReturnType<ProgramTool["execute"]>>): Promise<unknown> =>
    await run(answering(answer), never);
  const fits = { content: "deployed", details: { url: "https://a.test", tags: ["x"] } };
  expect(await result(fits)).toEqual({ ...fits, status: "ok" });
  const wrong = { status: "failed", code: "tool.bad-result" };
  expect(await result({ content: "deployed", details: { tags: [1] } })).toMatchObject({
    ...wrong,
    content: expect.stringMatching(/^The details of deploy are not what it declares.*\ndeployed$/),
  });
  expect(await result("deployed")).toMatchObject({
    ...wrong,
    content: "deploy declares what its details are, and gave none.\ndeployed",
  });
  expect(await result({ content: "no", failed: true })).toMatchObject({ status: "failed", code: "tool.failed" });
});
