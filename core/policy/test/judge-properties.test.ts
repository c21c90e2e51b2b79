import { runs } from "@capstan/testkit";
import type { Policy, Rule } from "@capstan/protocol";
import { permissionModes } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judge } from "../src/judge/judge.ts";
import { onlyReads } from "../src/only-reads.ts";
import type { JudgedAction } from "../src/situation.ts";
import { commandAction, fileAction, rules, situation, workspace } from "./situations.ts";

const programs = [
  "ls",
  "cat a",
  "rm x",
  "/bin/rm x",
  "sudo rm x",
  "git push",
  "git status",
  "cd src",
  "export A=b",
  "cat src/a",
  "sh -c 'rm x'",
  "$x",
];
const actions: fc.Arbitrary<JudgedAction> = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...programs), fc.constantFrom("; ", " && ", " | ", "\n", " > ")), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) =>
      commandAction(
        parts.map(([program, joint], index) => (index === parts.length - 1 ? program : program + joint)).join(""),
      ),
    ),
  fc.constantFrom(...programs).map((program) => commandAction(program.split(" "))),
  fc
    .record({
      tool: fc.constantFrom("read_file", "search", "write_file", "edit_file", "apply_patch"),
      paths: fc.array(fc.constantFrom("a", "src/a", "src/b/.env", ".env", "/etc/x", "AGENTS.md", "/extra/src/a"), {
        maxLength: 3,
      }),
    })
    .map(({ tool, paths }) => fileAction(tool, tool === "read_file" || tool === "search" ? "read" : "write", ...paths)),
);
const texts = [
  "*",
  "Bash",
  "Bash(rm)",
  "Bash(git *)",
  "Bash(cat:*)",
  "Bash(ls > rm x)",
  "Bash(cd *)",
  "Read",
  "Read(src/**)",
  "Read(**/.env)",
  "Edit",
  "Edit(src/**)",
  "Edit(AGENTS.md)",
  "search",
];
const someRule: fc.Arbitrary<Rule> = fc
  .tuple(fc.constantFrom("allow", "ask", "deny"), fc.constantFrom(...texts), fc.boolean())
  .map(([verdict, text, isGrant]) => {
    const [rule] = rules(`${verdict} ${text}`);
    if (rule === undefined) throw new Error("no rule");
    return isGrant && verdict === "allow" ? { ...rule, source: "grant" } : rule;
  });
const policies: fc.Arbitrary<Policy> = fc.record({
  approval: fc.constantFrom("permissive", "default", "strict"),
  rules: fc.array(someRule, { maxLength: 6 }),
  yolo: fc.boolean(),
});
const modes = fc.constantFrom(...permissionModes);
const strictness = { allow: 0, ask: 1, deny: 2 } as const;

test("the order of rules never changes a verdict", () => {
  fc.assert(
    fc.property(actions, policies, modes, fc.infiniteStream(fc.nat(1_000)), (action, policy, mode, keys) => {
      const shuffled = policy.rules
        .map((rule) => ({ rule, key: keys.next().value ?? 0 }))
        .toSorted((one, other) => one.key - other.key)
        .map(({ rule }) => rule);
      expect(judge(action, situation({ ...policy, rules: shuffled }, mode)).verdict).toBe(
        judge(action, situation(policy, mode)).verdict,
      );
    }),
    { numRuns: runs(1_000) },
  );
});

function verdictWith(...all: readonly Rule[]): string {
  return judge(commandAction("ls > ls"), situation({ approval: "default", rules: all, yolo: false })).verdict;
}

test("a grant answers a question, wherever it stands among rules that allow the same", () => {
  const [allow, ask] = rules("allow *", "ask *");
  if (allow === undefined || ask === undefined) throw new Error("no rules");
  const grant: Rule = { ...allow, source: "grant" };
  expect([verdictWith(allow, ask, grant), verdictWith(grant, ask, allow)]).toEqual(["allow", "allow"]);
});

test("one more deny or ask rule never loosens, one more allow rule never tightens", () => {
  fc.assert(
    fc.property(actions, policies, modes, someRule, (action, policy, mode, rule) => {
      const before = strictness[judge(action, situation(policy, mode)).verdict];
      const after = strictness[judge(action, situation({ ...policy, rules: [...policy.rules, rule] }, mode)).verdict];
      const isFine = { allow: after <= before, ask: after >= before, deny: after >= before }[rule.verdict];
      expect({ before, after, isFine }).toEqual({ before, after, isFine: true });
    }),
    { numRuns: runs(2_000) },
  );
});

test("a deny rule that speaks of an action beats everything", () => {
  fc.assert(
    fc.property(actions, policies, modes, (action, policy, mode) => {
      const [deny] = rules(`deny ${action.tool}`);
      const all = [...policy.rules, ...(deny === undefined ? [] : [deny])];
      expect(judge(action, situation({ ...policy, rules: all }, mode)).verdict).toBe("deny");
    }),
  );
});

test("plan mode allows nothing the other modes would not, and nothing that is not read-only", () => {
  fc.assert(
    fc.property(actions, policies, (action, policy) => {
      const plan = strictness[judge(action, situation(policy, "plan")).verdict];
      expect(plan).toBeGreaterThanOrEqual(strictness[judge(action, situation(policy)).verdict]);
      expect(action.effect !== "write" || plan === strictness.deny).toBe(true);
    }),
    { numRuns: runs(1_000) },
  );
});

test("a judgement is one inert sentence, whatever the action holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), modes, (text, mode) => {
      const policy: Policy = { approval: "default", rules: rules("deny Bash(rm)"), yolo: false };
      for (const action of [commandAction(text), commandAction([text, text]), fileAction("edit_file", "write", text)]) {
        const { reason } = judge(action, situation(policy, mode));
        expect(reason).toMatch(/^[ -~⟨…⟩]{1,900}\.$/u);
      }
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  ["ls src && wc -l src/a", true],
  ["cat src/a | head -5", true],
  ["ls > out.txt", false],
  ["rm x", false],
  ["cat /etc/passwd", false],
  ["npm test", false],
])("`%s` is certain to change nothing: %s", (script, expected) => {
  expect(onlyReads(commandAction(script), workspace)).toBe(expected);
});
