/** What an agent's session gets: of its caller's, and never more. */
import type { Agent, SessionConfig } from "@capstan/protocol";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { childConfig, type Reserved, type Share, shareOf } from "../src/child-config.ts";
import type { Caller, ChildSessions } from "../src/child-sessions.ts";

const names = ["read_file", "write_file", "run_command", "ask_user", "exit_plan_mode", "spawn_agent", "mcp__a__b"];
const sessions: ChildSessions = {
  caller: () => undefined,
  isOpen: () => false,
  idOf: (id) => id,
  open: () => Promise.reject(new Error("nothing is opened here")),
  resume: () => Promise.reject(new Error("nothing is opened here")),
  isNew: () => true,
  list: () => Promise.resolve([]),
  events: () => Promise.resolve([]),
  follow: () => () => undefined,
  modelNamed: () => config.model,
  toolNamed: (name) => ({ Read: "read_file", Write: "write_file" })[name] ?? names.find((known) => known === name),
};

const config: SessionConfig = JSON.parse(
  JSON.stringify({
    model: { provider: "anthropic", id: "rehearsal", wire: "anthropic" },
    mode: "plan",
    limits: { maxCostUsd: null, maxTokensPerTurn: null },
    systemPrompt: "Be good.",
    tools: [],
  }),
);

function callerWith(tools: readonly string[], more: Partial<Caller> = {}): Caller {
  const definitions = tools.map((name) => ({ name, description: name, inputSchema: {} }));
  return {
    config: { ...config, tools: definitions },
    origin: { frontend: "test" },
    spent: { costUsd: 0, tokens: 0 },
    allowed: { costUsd: null, tokens: null },
    openCalls: 1,
    workspace: { cwd: "/work", roots: ["/work"] },
    ...more,
  };
}

const someNames = fc.subarray(names);
const anAgent = fc.record({
  name: fc.constant("someone"),
  description: fc.constant("does things"),
  from: fc.constant("user" as const),
  prompt: fc.constant("Do it."),
  tools: fc.option(fc.array(fc.constantFrom(...names, "Read", "Write", "Unknown"))),
}) satisfies fc.Arbitrary<Agent>;

test("an agent has no tool that its caller has not, and none by which it would speak with the user", () => {
  fc.assert(
    fc.property(someNames, anAgent, fc.integer({ min: 1, max: 4 }), (tools, agent, maxDepth) => {
      const share: Share = { costUsd: null, tokens: null };
      const child = childConfig(callerWith(tools), agent, { share, maxDepth, sessions });
      const given = child.agent.tools ?? [];
      expect(given.filter((name) => !tools.includes(name))).toEqual([]);
      expect(given.filter((name) => name === "ask_user" || name === "exit_plan_mode")).toEqual([]);
      expect(given.includes("spawn_agent") && maxDepth === 1).toBe(false);
      expect([child.mode, child.policy]).toEqual([config.mode, config.policy]);
    }),
  );
});

test("below each other agents only lose tools, to any depth", () => {
  fc.assert(
    fc.property(someNames, fc.array(anAgent, { minLength: 1, maxLength: 5 }), (tools, chain) => {
      let caller = callerWith(tools);
      for (const [at, agent] of chain.entries()) {
        const share: Share = { costUsd: null, tokens: null };
        const child = childConfig(caller, agent, { share, maxDepth: 8, sessions });
        const before = caller.config.tools.map(({ name }) => name);
        expect((child.agent.tools ?? []).filter((name) => !before.includes(name))).toEqual([]);
        expect(child.agent.depth).toBe(at + 1);
        const definitions = caller.config.tools.filter(({ name }) => child.agent.tools?.includes(name) === true);
        caller = { ...caller, config: { ...child, tools: definitions } };
      }
    }),
    { numRuns: runs(2000) },
  );
});

test("what agents may spend together is never more than what is left of the turn", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.integer({ min: 1, max: 12 }),
      fc.subarray([0, 2, 5]),
      (allowed, spent, calls, inBackground) => {
        const caller = callerWith([], {
          allowed: { costUsd: allowed, tokens: Math.floor(allowed * 1000) },
          spent: { costUsd: spent, tokens: Math.floor(spent * 1000) },
          openCalls: calls,
        });
        const reserved: Reserved[] = [];
        for (let call = 0; call < calls; call += 1) {
          const isBackground = inBackground.includes(call);
          reserved.push({ ...shareOf(caller, reserved, isBackground), isCallOpen: !isBackground });
        }
        const left = Math.max(0, allowed - spent);
        const total = reserved.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
        const tokens = reserved.reduce((sum, share) => sum + (share.tokens ?? 0), 0);
        expect(total).toBeLessThanOrEqual(left * (1 + 1e-9) + 1e-9);
        expect(tokens).toBeLessThanOrEqual(Math.max(0, Math.floor(allowed * 1000) - Math.floor(spent * 1000)));
      },
    ),
  );
});

test("where nothing bounds the turn, nothing bounds its agents", () => {
  expect(shareOf(callerWith([]), [])).toEqual({ costUsd: null, tokens: null });
});
