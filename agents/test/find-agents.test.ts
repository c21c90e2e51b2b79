/** Agents are found where users and trusted workspaces keep them. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findAgents } from "../src/index.ts";

const builtIn = ["bash", "explore", "implement", "plan", "review"];
let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-agents-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): readonly [string, string] {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return [file, createHash("sha256").update(text).digest("hex")];
}

function agentText(name: string, more = ""): string {
  return `---\nname: ${name}\ndescription: Use it: always\n${more}---\nYou are ${name}.\n`;
}

function find(approved: readonly (readonly [string, string])[] = [], trusted = approved.length > 0) {
  const home = join(folder, "data");
  return findAgents({ home, env: { HOME: join(folder, "home") }, trust: { trusted, approved: new Map(approved) } });
}

test("everybody has the built-in agents", async () => {
  expect((await find()).agents.map(({ name }) => name)).toEqual(builtIn);
});

test("a user's own agents are found in both folders, and take the place of a built-in one of their name", async () => {
  write("data/agents/scout.md", agentText("scout", "tools: [read_file, Bash(git log:*)]\nmodel: inherit\n"));
  write("home/.claude/agents/deep/review.md", agentText("review", "tools: Read, Grep\nmodel: opus\n"));
  const { agents, notices } = await find();
  expect(agents.map(({ name }) => name)).toEqual([...builtIn, "scout"]);
  expect(agents.find(({ name }) => name === "scout")).toMatchObject({
    from: "user",
    description: "Use it: always",
    prompt: "You are scout.",
    tools: ["read_file", "Bash"],
  });
  expect(agents.find(({ name }) => name === "scout")).not.toHaveProperty("model");
  expect(agents.find(({ name }) => name === "review")).toMatchObject({ tools: ["Read", "Grep"], model: "opus" });
  expect(notices).toEqual([]);
});

test("a workspace's agents count where it is trusted, while they are as they were, and never in place of others", async () => {
  const scout = write("work/.claude/agents/scout.md", agentText("scout"));
  const explore = write("work/.capstan/agents/explore.md", agentText("explore"));
  expect((await find()).agents.map(({ name }) => name)).toEqual(builtIn);
  const trusted = await find([scout, explore]);
  expect(trusted.agents.map(({ name, from }) => [name, from])).toContainEqual(["scout", "workspace"]);
  expect(trusted.agents.find(({ name }) => name === "explore")?.from).toBe("built-in");
  expect(trusted.notices).toMatchObject([{ code: "agent.unreadable", text: expect.stringContaining("explore.md") }]);
  write("work/.claude/agents/scout.md", agentText("scout", "tools: '*'\n"));
  expect((await find([scout])).agents.map(({ name }) => name)).toEqual(builtIn);
});

test.for([
  ["no front matter", "You are nobody."],
  ["no text", "---\nname: a\ndescription: b\n---\n"],
  ["a bad name", agentText('"a b/c"')],
  ["no YAML", "---\nname: [a\n---\nYou are a.\n"],
] as const)("an agent with %s is left out, with the reason", async ([, text]) => {
  write("data/agents/odd.md", text);
  const { agents, notices } = await find();
  expect(agents.map(({ name }) => name)).toEqual(builtIn);
  expect(notices).toMatchObject([{ level: "warning", code: "agent.unreadable" }]);
});

test("what a file says of an agent's budget, agents, mode and placeholders counts, and what cannot be meant is named", async () => {
  const front = [
    "provider: openai",
    "model: gpt-5.2-mini",
    "budget: { steps: 5, tokens: 1000, cost_usd: 0.5, seconds: 60 }",
    "subagents: [scout]",
    "skills: release, team:style",
    "disallowedTools: Write, Bash(rm:*)",
    "permissionMode: plan",
    "isolation: worktree",
    "background: true",
    "variables: { language: Go, depth: 3 }",
  ];
  write("data/agents/all.md", agentText("all", `${front.join("\n")}\n`));
  write("data/agents/turns.md", agentText("turns", "maxTurns: 7\npermissionMode: bypassPermissions\n"));
  write("data/agents/wrong.md", agentText("wrong", "budget: { minutes: 5 }\n"));
  write(
    "data/agents/many.md",
    agentText("many", `skills: [${Array.from({ length: 17 }, (_, at) => `s${at}`).join(", ")}]\n`),
  );
  write("data/agents/low.md", agentText("low", "budget: { steps: 0 }\n"));
  const { agents, notices } = await find();
  expect(agents.find(({ name }) => name === "all")).toMatchObject({
    model: "openai/gpt-5.2-mini",
    budget: { steps: 5, tokens: 1000, costUsd: 0.5, seconds: 60 },
    subagents: ["scout"],
    skills: ["release", "team:style"],
    withoutTools: ["Write", "Bash"],
    mode: "plan",
    isolation: "worktree",
    background: true,
    variables: { language: "Go", depth: "3" },
  });
  const turns = agents.find(({ name }) => name === "turns");
  expect([turns?.budget, turns?.mode]).toEqual([{ steps: 7 }, undefined]);
  expect(notices.map(({ text }) => text.split(": ").slice(1).join(": "))).toEqual([
    "budget.steps takes a number above 0",
    "skills takes at most 16 names",
    'budget has no "minutes": it takes steps, tokens, cost_usd and seconds',
  ]);
});
