import type { ToolDefinition } from "@capstan/protocol";
import { sessionConfig } from "@capstan/testkit";
import { expect, test } from "vitest";
import { changedTools } from "../../src/session/changed-tools.ts";

const tool = (name: string, description = name): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: "object" },
});

test("tools that stay keep their places, new ones come last, and one that is gone is gone", () => {
  const config = { ...sessionConfig(), tools: [tool("a"), tool("b"), tool("c")] };
  expect(changedTools(config, [tool("new"), tool("c", "other"), tool("a")])).toEqual([
    tool("a"),
    tool("c", "other"),
    tool("new"),
  ]);
  expect(changedTools(config, [tool("c"), tool("b"), tool("a")])).toBeNull();
});

test("an agent has no more tools than are named for it", () => {
  const agent = { name: "explore", depth: 1, prompt: "", tools: ["a", "b"] };
  const config = { ...sessionConfig(), tools: [tool("a")], agent };
  expect(changedTools(config, [tool("a"), tool("b"), tool("c")])?.map(({ name }) => name)).toEqual(["a", "b"]);
});
