/** What an agent's session gets: of its caller's, and never more. */
import type { LoadedSkill } from "@capstan/ports";
import type { Agent, SessionConfig } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { withSkills } from "../src/agent-skills.ts";
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

test("an agent has its caller's personas, and so no tool that they take away", () => {
  const personas = [{ name: "calm", prompt: "Be calm.", withoutTools: ["write_file"] }];
  const caller = callerWith(names);
  const agent: Agent = { name: "someone", description: "", from: "user", prompt: "Do it.", tools: null };
  const surroundings = { share: { costUsd: null, tokens: null }, maxDepth: 2, sessions };
  const child = childConfig({ ...caller, config: { ...caller.config, personas } }, agent, surroundings);
  expect(child.personas).toEqual(personas);
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

const someLimit = fc.option(fc.integer({ min: 1, max: 1000 }), { nil: null });
const someBudget = fc.record(
  {
    steps: fc.integer({ min: 1, max: 100 }),
    tokens: fc.integer({ min: 1, max: 1000 }),
    costUsd: fc.double({ min: 0.01, max: 10, noNaN: true }),
    seconds: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: [] },
);
const someNamesOf = fc.subarray(["explore", "plan", "maker", "scout"]);
const aSkill: fc.Arbitrary<LoadedSkill> = fc
  .record({ name: fc.constantFrom("look", "edit", "free"), allow: fc.array(fc.constantFrom("read", "write")) })
  .map(({ name, allow }) => {
    const rules = allow.map((tool) => ({ verdict: "allow" as const, tool, source: "session" as const, text: tool }));
    const limits = name === "free" ? {} : { limits: { by: `the skill ${name}`, allow: rules, deny: [] } };
    const skill = { name, description: name, file: `/skills/${name}/SKILL.md`, from: "user" as const };
    return { skill, text: `How to ${name}.`, files: [], ...limits };
  });
const aGrantedAgent = fc.record({
  skills: fc.array(aSkill, { maxLength: 2 }),
  agent: anAgent,
  more: fc.record(
    {
      budget: someBudget,
      withoutTools: someNames,
      subagents: someNamesOf,
      mode: fc.constant("plan" as const),
      isolation: fc.constant("worktree" as const),
      background: fc.constant(true as const),
    },
    { requiredKeys: [] },
  ),
  share: fc.record({ costUsd: someLimit, tokens: someLimit }),
});

test("10,000 trees of agents: at no place has one more tools, mode, money, tokens, steps, time or agents than whoever called it, or less of what skills hold it to", () => {
  const given = fc.record({
    tools: someNames,
    mode: fc.constantFrom("plan", "default", "accept-edits", "auto"),
    limits: fc.record({
      maxCostUsd: someLimit,
      maxTokensPerTurn: someLimit,
      maxModelCallsPerTurn: someLimit,
      maxTurnDurationMs: someLimit,
    }),
    tree: fc.array(aGrantedAgent, { minLength: 1, maxLength: 6 }),
    maxDepth: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(given, ({ tools, mode, limits, tree, maxDepth }) => {
      const root = callerWith(tools);
      let callers: readonly Caller[] = [
        { ...root, config: { ...root.config, mode, limits: { ...config.limits, ...limits } } },
      ];
      for (const { agent, skills, more, share } of tree) {
        const caller = callers[(agent.name.length + callers.length) % callers.length] ?? root;
        const within = {
          costUsd: least(share.costUsd, caller.config.limits.maxCostUsd),
          tokens: least(share.tokens, caller.config.limits.maxTokensPerTurn),
        };
        const surroundings = { share: within, maxDepth, sessions };
        const child = withSkills(childConfig(caller, { ...agent, ...more }, surroundings), skills);
        const before = caller.config.tools.map(({ name }) => name);
        expect(
          (child.agent.tools ?? ["all"]).filter((name) => !before.includes(name) || more.withoutTools?.includes(name)),
        ).toEqual([]);
        expect(child.mode === caller.config.mode || child.mode === "plan").toBe(true);
        expect(child.policy).toBe(caller.config.policy);
        expect(child.agent.limits ?? []).toEqual([
          ...(caller.config.agent?.limits ?? []),
          ...skills.flatMap((skill) => skill.limits ?? []),
        ]);
        for (const name of limitNames) expect(isWithinLimit(child.limits[name], caller.config.limits[name])).toBe(true);
        const above = caller.config.agent?.subagents;
        expect(
          above === undefined ? [] : (child.agent.subagents ?? ["all"]).filter((name) => !above.includes(name)),
        ).toEqual([]);
        const definitions = caller.config.tools.filter(({ name }) => child.agent.tools?.includes(name) === true);
        callers = [...callers, { ...caller, config: { ...child, tools: definitions } }];
      }
    }),
    { numRuns: runs(10_000) },
  );
});

const limitNames = ["maxCostUsd", "maxTokensPerTurn", "maxModelCallsPerTurn", "maxTurnDurationMs"] as const;

function least(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function isWithinLimit(own: number | null, above: number | null): boolean {
  return above === null || (own !== null && own <= above);
}

test("a placeholder has the call's value, else the agent's, and an unknown one stays as it is", () => {
  const agent = {
    ...plainAgent,
    prompt: "{{ language }} in {{place}}, not {{ example }}",
    variables: { language: "Go", place: "src" },
  };
  const given = { share: { costUsd: null, tokens: null }, maxDepth: 1, sessions };
  expect(childConfig(callerWith([]), agent, given).agent.prompt).toBe("Go in src, not {{ example }}");
  const called = childConfig(callerWith([]), agent, { ...given, variables: { place: "lib" } });
  expect(called.agent.prompt).toBe("Go in lib, not {{ example }}");
});

const plainAgent: Agent = { name: "maker", description: "makes", from: "user", prompt: "", tools: null };
