import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "@capstan/engine";
import { expect, onTestFinished, test } from "vitest";
import type { PolicyFile } from "../../src/policy/policy-file.ts";
import { readPolicyFile } from "../../src/policy/read-policy-files.ts";
import { placeOfRule } from "../../src/policy/rule-place.ts";
import { commandCall, fileCall, workspace } from "./calls.ts";

interface Written {
  readonly read: () => Promise<PolicyFile>;
  /** Message of the error, without the directory. */
  readonly failure: () => Promise<string>;
}

function written(name: string, text: string): Written {
  const folder = mkdtempSync(join(tmpdir(), "capstan-policy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  const read = (): Promise<PolicyFile> => readPolicyFile(name, folder);
  const failure = async (): Promise<string> => {
    try {
      await read();
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(folder, "") : String(error);
    }
    throw new Error("the file was accepted");
  };
  return { read, failure };
}

function verdictOf({ rules, approval = "default" }: PolicyFile, call: ReturnType<typeof commandCall>): string {
  const sandbox = {
    isolation: { type: "none", reason: "none" },
    autoRun: false,
    withoutIsolation: "run",
    hosts: [],
  } as const;
  return judge(call, {
    policy: { rules, approval, yolo: false },
    mode: "default",
    workspace,
    sandbox,
    face: "cli",
    now: 0,
  }).verdict;
}

test("a rule of a policy file has every field, and lists stand for a rule each", async () => {
  const { read } = written(
    "p.toml",
    `name = "mine"
approval = "strict"
[[rules]]
verdict = "ask"
tool = ["Edit", "Read"]
path = "src/**"
origin = "telegram"
risk = "high"
reason = "chat"
expires = 2027-01-31
locked = true
match = ["src/a"]
not_match = "x/src/y"
`,
  );
  const policy = await read();
  const shared = {
    verdict: "ask",
    path: "src/**",
    origin: "telegram",
    risk: "high",
    reason: "chat",
    locked: true,
    source: "user",
  };
  const expiresAt = Date.UTC(2027, 0, 31);
  expect(policy.rules).toEqual([
    { ...shared, tool: "Edit", expiresAt, text: "Edit(src/**)" },
    { ...shared, tool: "Read", expiresAt, text: "Read(src/**)" },
  ]);
  expect(policy.rules.map((rule) => placeOfRule(rule)?.replace(/^.*\//, ""))).toEqual(["p.toml:3", "p.toml:3"]);
});

test.each([
  [
    '[[rules]]\nverdict = "allow"\ntool = "Edit"\npath = "src/**"\nmatch = ["x/src/y"]',
    '/p.toml:5: rule 1: match: the rule "Edit(src/**)" should match "x/src/y", and this example does not match it',
  ],
  [
    '[[rules]]\nverdict = "allow"\ntool = "run_command"\ncommand = "npm *"\nnot_match = ["ls", "npm publish"]',
    '/p.toml:5: rule 1: not_match: the rule "run_command(npm *)" should not match "npm publish", and this example matches it',
  ],
  [
    '[[rules]]\nverdict = "deny"\ntool = "run_command"\ncomand = "rm"',
    "/p.toml:4: rule 1: unknown field comand; did you mean command?",
  ],
  [
    '[[rules]]\nverdict = "deny"\ntool = 3',
    "/p.toml:3: rule 1: tool: expected a string, or a list of strings, found 3",
  ],
  [
    '[[rules]]\nverdict = "allow"\ntool = "glob"\nlocked = true',
    '/p.toml:1: rule 1: "glob": only `ask` and `deny` can be locked',
  ],
  [
    '[[rules]]\nverdict = "ask"\ntool = "glob"\nexpires = "soon"',
    '/p.toml:4: rule 1: expires: expected a date such as 2027-01-31, or a time with its zone, found "soon"',
  ],
  [
    '[[rules]]\nverdict = "ask"\ntool = "glob"\nexpires = "2027-02-30"',
    '/p.toml:4: rule 1: expires: expected a date such as 2027-01-31, or a time with its zone, found "2027-02-30"',
  ],
  [
    '[[rules]]\nverdict = "ask"\ntool = "run_command"\nhost = "a/b"',
    '/p.toml:1: rule 1: "run_command(a/b)": write a host as `example.org`, `*.example.org` or `example.org:8443`, in ASCII',
  ],
  [
    '[[rules]]\nverdict = "deny"\ntool = "run_command"\ncommand = "regex:(a+)+\\\\1"',
    '/p.toml:1: rule 1: "run_command(regex:(a+)+\\\\1)": back references are not known',
  ],
  ['approvals = "strict"', "/p.toml:1: unknown field approvals; did you mean approval?"],
  ['approval = "lax"', "/p.toml:1: approval: expected one of permissive, default, strict"],
])("%s is refused with file, line and what is expected", async (text, message) => {
  expect(await written("p.toml", text).failure()).toBe(message);
});

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
    tools: [Write, NotebookEdit]
    action: require_approval
settings:
  default_action: require_approval
  approval_timeout_seconds: 120
`;

test("a Tether file is converted: regular expressions, verdicts, risk, settings", async () => {
  const policy = await written("team.yaml", tether).read();
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
  const { warnings } = await written("team.yaml", tether).read();
  expect(warnings.map((warning) => warning.replace(/\S*\//, ""))).toEqual([
    "team.yaml: Capstan has no NotebookEdit; what the rules say of them is without effect",
    'team.yaml:22: rule "writes" asks about what the earlier "plans" allows: here ask beats allow, whatever the order',
    "team.yaml: rules are not read in order here: where a rule matches what an earlier and looser one matches too, the stricter decides",
  ]);
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
  expect((await written("t.yaml", text).failure()).slice(0, message.length)).toBe(message);
});

test("aliases that would make a file explode are refused", async () => {
  const lines = Array.from(
    { length: 12 },
    (_, index) => `x${index + 1}: &a${index + 1} [${Array.from({ length: 9 }, () => `*a${index}`).join(", ")}]`,
  );
  expect(await written("t.yaml", ["x0: &a0 [lol]", ...lines].join("\n")).failure()).toMatch(/aliases repeat/);
});
