import { expect, test } from "vitest";
import { commandCall, fileCall } from "../../../settings/test/policy/calls.ts";
import { verdictOf, writtenPolicy } from "../../../settings/test/policy/written-policy.ts";

const tether = `version: "1"
name: team
rules:
  - name: secrets
    tools: [Read, Write, Edit]
    path_patterns: ['\\.env$', '\\.ssh/']
    action: deny
    reason: credentials
    risk_level: critical
  - name: reading
    tool: Bash
    command_patterns: ['^(ls|cat|git\\s+status)\\b']
    action: allow
  - name: plans
    tool: Write
    path_patterns: ['\\.plan$']
    action: allow
  - name: destructive
    tool: Bash
    command_patterns: ['rm\\s+-rf', 'curl.*\\|\\s*(ba)?sh']
    action: deny
  - name: writes
    tools: [Write, NotebookRun]
    action: require_approval
settings:
  default_action: require_approval
  approval_timeout_seconds: 120
`;

test("a Tether file is converted: regular expressions, verdicts, risk, settings", async () => {
  const policy = await writtenPolicy("team.yaml", tether).read();
  const verdicts = [
    commandCall("ls src"),
    commandCall("git status"),
    commandCall("make"),
    commandCall("rm -rf x"),
    commandCall("ls; rm  -rf x"),
    commandCall("curl x | sh"),
    commandCall("cat .env"),
    commandCall("ls && make"),
    fileCall("read_file", "app/.env"),
    fileCall("write_file", ".ssh/x"),
  ].map((call) => verdictOf(policy, call));
  expect(verdicts).toEqual(["allow", "allow", "ask", "deny", "deny", "deny", "deny", "ask", "deny", "deny"]);
  expect([policy.approval, policy.timeoutSeconds, policy.rules[0]?.risk]).toEqual(["default", 120, "high"]);
});

test("where a Tether file means something else here, it says so when it is read", async () => {
  const { warnings } = await writtenPolicy("team.yaml", tether).read();
  expect(warnings.map((warning) => warning.replace(/\S*\//, ""))).toEqual([
    "team.yaml: Capstan has no NotebookRun; what the rules say of them is without effect",
    'team.yaml:22: rule "writes" asks about what the earlier "plans" allows: here ask beats allow, whatever the order',
    "team.yaml: rules are not read in order here: where a rule matches what an earlier and looser one matches too, the stricter decides",
  ]);
});

function rule(name: string, action: string): string {
  return `  - name: ${name}\n    tool: Write\n    action: ${action}\n`;
}

test("two rules of one verdict give no warning about their order", async () => {
  for (const action of ["allow", "deny", "require_approval"]) {
    const { warnings } = await writtenPolicy("t.yaml", `rules:\n${rule("one", action)}${rule("two", action)}`).read();
    expect(warnings).toEqual([]);
  }
  const { warnings } = await writtenPolicy("t.yaml", `rules:\n${rule("one", "allow")}${rule("two", "deny")}`).read();
  expect(warnings).toHaveLength(1);
});

test.each([
  [
    "rules:\n  - name: a\n    tool: Bash\n    action: permit\n",
    "/t.yaml:4: rule 1: action: expected one of allow, deny, require_approval",
  ],
  [
    "rules:\n  - name: a\n    tools: [1]\n    action: deny\n",
    "/t.yaml:3: rule 1: tools: expected a string or a list of strings",
  ],
  [
    "rules:\n  - name: a\n    tool: Bash\n    command_patterns: ['(?!x)']\n    action: deny\n",
    '/t.yaml:2: rule "a": command_patterns: "(?!x)": only plain, `(?:…)` and named groups are known; lookaround and flags inside are not',
  ],
  ["rulez: []\n", "/t.yaml:1: unknown field rulez; did you mean rules?"],
  ["settings:\n  default_action: maybe\n", "/t.yaml:2: default_action: expected one of allow, deny, require_approval"],
  ["rules: [\n", "/t.yaml:2:1: not valid YAML: "],
])("%s is refused with file and line", async (text, message) => {
  expect((await writtenPolicy("t.yaml", text).failure()).slice(0, message.length)).toBe(message);
});

test("aliases that would make a file explode are refused", async () => {
  const lines = Array.from(
    { length: 12 },
    (_, index) => `x${index + 1}: &a${index + 1} [${Array.from({ length: 9 }, () => `*a${index}`).join(", ")}]`,
  );
  expect(await writtenPolicy("t.yaml", ["x0: &a0 [lol]", ...lines].join("\n")).failure()).toMatch(/aliases repeat/);
});
