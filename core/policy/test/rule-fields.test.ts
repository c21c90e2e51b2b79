import { runs } from "@capstan/testkit";
import type { Policy, Rule, RuleVerdict } from "@capstan/protocol";
import { permissionModes } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judge } from "../src/judge/judge.ts";
import { matchesExample } from "../src/rules/rule-example.ts";
import { ruleApplies } from "../src/rules/rule-applies.ts";
import type { JudgedAction, Situation } from "../src/situation.ts";
import { commandAction, fileAction, policy, rules, situation, workspace } from "./situations.ts";

const now = 1_000;
const programs = [
  "ls",
  "npm test",
  "rm x",
  "cat src/a",
  "git push -f",
  "sh -c 'rm x'",
  "ls | rm x",
  "cat $x",
  "cd src; ls",
];
const hosts = ["example.org", "api.example.org", "other.test:8443"];
const actions: fc.Arbitrary<JudgedAction> = fc.oneof(
  fc.constantFrom(...programs).map((program) => commandAction(program)),
  fc
    .tuple(fc.constantFrom(...programs), fc.constantFrom(...hosts))
    .map(([program, host]) => withHost(commandAction(program), host)),
  fc
    .constantFrom("a", "src/a", "x/src/y", ".env", "/etc/x", "AGENTS.md")
    .map((path) => fileAction("read_file", "read", path)),
  fc
    .constantFrom("a", "src/a", "x/src/y", ".env", "/etc/x", "AGENTS.md")
    .map((path) => fileAction("write_file", "write", path)),
);
const patterns: readonly Partial<Rule>[] = [
  { tool: "*" },
  { tool: "run_command" },
  { tool: "run_command", command: "rm" },
  { tool: "run_command", command: "npm *" },
  { tool: "run_command", command: "regex:^(ls|cat)\\b" },
  { tool: "run_command", command: "regex:push.*-f" },
  { tool: "run_command", host: "*.example.org" },
  { tool: "*", host: "example.org" },
  { tool: "Read", path: "src/**" },
  { tool: "Edit", path: "regex:\\.env$" },
  { tool: "Edit" },
];
const someRule: fc.Arbitrary<Rule> = fc
  .record({
    verdict: fc.constantFrom<RuleVerdict>("allow", "ask", "deny"),
    pattern: fc.constantFrom(...patterns),
    origin: fc.constantFrom(undefined, "cli", "telegram"),
    expiresAt: fc.constantFrom(undefined, now - 1, now, now + 1),
    isLocked: fc.boolean(),
    source: fc.constantFrom<Rule["source"]>("managed", "user", "project", "flag", "grant"),
  })
  .map(({ verdict, pattern, origin, expiresAt, isLocked, source }) => ({
    verdict,
    tool: "*",
    ...pattern,
    ...(origin === undefined ? {} : { origin }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(isLocked && verdict === "ask" ? { locked: true as const } : {}),
    source: verdict === "allow" ? source : source === "grant" ? "user" : source,
    text: JSON.stringify(pattern),
  }));
const policies: fc.Arbitrary<Policy> = fc.record({
  approval: fc.constantFrom("permissive", "default", "strict"),
  rules: fc.array(someRule, { maxLength: 6 }),
  yolo: fc.boolean(),
});
const isolations: fc.Arbitrary<Situation["sandbox"]> = fc.constantFrom(
  { isolation: { type: "enforced" as const }, autoRun: true, withoutIsolation: "ask" as const, hosts: [] },
  { isolation: { type: "none" as const, reason: "none" }, autoRun: true, withoutIsolation: "ask" as const, hosts: [] },
  {
    isolation: { type: "none" as const, reason: "none" },
    autoRun: true,
    withoutIsolation: "refuse" as const,
    hosts: [],
  },
);
const situations: fc.Arbitrary<Situation> = fc
  .tuple(policies, fc.constantFrom(...permissionModes), isolations)
  .map(([under, mode, sandbox]) => ({ ...situation(under, mode), sandbox, now }));
const strictness = { allow: 0, ask: 1, deny: 2 } as const;

function withHost(action: JudgedAction, host: string): JudgedAction {
  if (action.command === undefined) return action;
  const confinement = { type: "sandbox", workspace: "write", hosts: [host], writable: [] } as const;
  return { ...action, command: { ...action.command, confinement } };
}

function withRules(under: Situation, more: readonly Rule[]): Situation {
  return { ...under, policy: { ...under.policy, rules: [...under.policy.rules, ...more] } };
}

test("the order of rules with any fields never changes a verdict", () => {
  fc.assert(
    fc.property(actions, situations, (action, under) => {
      const turned = { ...under, policy: { ...under.policy, rules: under.policy.rules.toReversed() } };
      expect(judge(action, turned).verdict).toBe(judge(action, under).verdict);
    }),
    { numRuns: runs(2000) },
  );
});

test("one more deny rule never loosens a verdict", () => {
  fc.assert(
    fc.property(actions, situations, someRule, (action, under, rule) => {
      const { locked: _, ...unlocked } = rule;
      const more = withRules(under, [{ ...unlocked, verdict: "deny", source: "user" }]);
      expect(strictness[judge(action, more).verdict]).toBeGreaterThanOrEqual(strictness[judge(action, under).verdict]);
    }),
    { numRuns: runs(2000) },
  );
});

test("what a project may add, ask and deny rules, never loosens a verdict", () => {
  fc.assert(
    fc.property(actions, situations, fc.array(someRule, { maxLength: 4 }), (action, under, more) => {
      const added = more
        .filter(({ verdict }) => verdict !== "allow")
        .map((rule): Rule => ({ ...rule, source: "project" }));
      expect(strictness[judge(action, withRules(under, added)).verdict]).toBeGreaterThanOrEqual(
        strictness[judge(action, under).verdict],
      );
    }),
    { numRuns: runs(2000) },
  );
});

test("a locked rule that asks is beaten by no grant, no other allow rule and no --yolo", () => {
  fc.assert(
    fc.property(actions, situations, (action, under) => {
      const lock: Rule = { verdict: "ask", tool: "*", locked: true, source: "managed", text: "*" };
      expect(judge(action, withRules({ ...under, policy: { ...under.policy, yolo: true } }, [lock])).verdict).not.toBe(
        "allow",
      );
    }),
    { numRuns: runs(2000) },
  );
});

test("rules whose time is over, and rules about another origin, are as good as not there", () => {
  fc.assert(
    fc.property(actions, situations, (action, under) => {
      const live = under.policy.rules.filter(
        ({ expiresAt, origin }) =>
          (expiresAt === undefined || expiresAt > now) && (origin === undefined || origin === under.frontend),
      );
      expect(judge(action, { ...under, policy: { ...under.policy, rules: live } })).toEqual(judge(action, under));
    }),
    { numRuns: runs(1000) },
  );
});

test("a rule that decided is one that speaks of the call", () => {
  fc.assert(
    fc.property(actions, situations, (action, under) => {
      const { rule } = judge(action, under);
      expect(rule === undefined || ruleApplies(rule, action, workspace)).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
});

test("a rule about a host says nothing of files, and a rule that names no host denies no others", () => {
  const denyHost: Rule = { verdict: "deny", tool: "*", host: "example.org", source: "user", text: "*" };
  const under = situation(policy({ rules: [denyHost] }), "auto");
  const calls = [
    fileAction("read_file", "read", "a"),
    commandAction("ls"),
    withHost(commandAction("ls"), "example.org"),
  ];
  expect(calls.map((action) => judge(action, under).verdict)).toEqual(["allow", "allow", "deny"]);
});

test.each([
  ["allow Edit(src/**)", "src/a/b.ts", true],
  ["allow Edit(src/**)", "x/src/y", false],
  ["deny read_file(**/.env)", "app/.env", true],
  ["allow run_command(npm run *)", "npm run build", true],
  ["allow run_command(npm run *)", "npm run build; rm x", true],
  ["allow run_command(npm run *)", "npm runx", false],
  ["deny run_command(rm)", "sudo rm x", true],
  ["deny run_command(regex:rm\\s+-rf)", "ls; rm -rf $x", true],
  ["ask glob", "glob", true],
  ["ask glob", "search", false],
])("example: %s and %s: %s", (line, example, expected) => {
  expect(rules(line).map((rule) => matchesExample(rule, example))).toEqual([expected]);
});

test("a pattern that allows by a regular expression covers a command from its beginning, and no program that it starts", () => {
  const under = situation(policy({ rules: rules("allow run_command(regex:(npm test|find .))") }));
  const commands = ["npm test", "find . -name x", "find . -delete", "echo npm test; rm npm test", "npm test > x"];
  expect(commands.map((command) => judge(commandAction(command), under).verdict)).toEqual([
    "allow",
    "allow",
    "ask",
    "ask",
    "ask",
  ]);
});

test("a path that a regular expression allows lies inside the workspace", () => {
  const under = situation(policy({ rules: rules("allow Edit(regex:src)") }));
  const paths = ["src/a", "x/src/y", "/etc/src", "lib/a"];
  expect(paths.map((path) => judge(fileAction("write_file", "write", path), under).verdict)).toEqual([
    "allow",
    "allow",
    "ask",
    "ask",
  ]);
});
