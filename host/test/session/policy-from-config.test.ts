import { judge } from "@capstan/engine";
import { type Action, defaultDeniedPatterns, type Policy, type Workspace } from "@capstan/protocol";
import { action, noSandbox } from "@capstan/testkit";
import { expect, test } from "vitest";
import { policyFromConfig, protectedPatterns } from "../../src/session/policy-from-config.ts";
import { type ConfigPlace, configPlace } from "../config/config-place.ts";

const workspace: Workspace = { cwd: "/work", roots: ["/work"] };

/** The rules without those of protected files. */
function ownRules(policy: Policy): Policy["rules"] {
  return policy.rules.filter((rule) => rule.reason !== "it is a protected file");
}

function command(...argv: readonly string[]): Action {
  return action(
    "run_command",
    {},
    {
      effect: "execute",
      paths: [],
      command: {
        form: { type: "argv", argv },
        cwd: "/work",
        timeoutMs: 1000,
        confinement: { type: "none" },
        scripts: [],
        nested: [],
      },
      summary: argv.join(" "),
    },
  );
}

test("rules of every layer are there, each with its source and as it was written", async () => {
  const place = configPlace({
    user: `[permissions]
allow = ["run_command(npm test)"]
ask = ["Edit(src/**)"]
deny = ["read_file(secrets/**)"]
[[permissions.rules]]
verdict = "deny"
tool = "run_command"
command = "git push *"
reason = "the person pushes"
[tools.approval]
allowlist = ["glob"]
denylist = ["web_fetch"]
`,
    project: '[permissions]\ndeny = ["run_command(rm *)"]\n',
  });
  const loaded = await place.load({ flags: [{ flag: "--allow", key: "permissions.allow", value: ["search"] }] });
  const rules = ownRules(policyFromConfig(loaded, false));
  expect(rules).toEqual([
    { verdict: "allow", tool: "run_command", command: "npm test", source: "user", text: "run_command(npm test)" },
    { verdict: "allow", tool: "search", source: "flag", text: "search" },
    { verdict: "ask", tool: "Edit", path: "src/**", source: "user", text: "Edit(src/**)" },
    { verdict: "deny", tool: "read_file", path: "secrets/**", source: "user", text: "read_file(secrets/**)" },
    { verdict: "deny", tool: "run_command", command: "rm *", source: "project", text: "run_command(rm *)" },
    { verdict: "allow", tool: "glob", source: "user", text: "glob" },
    { verdict: "deny", tool: "web_fetch", source: "user", text: "web_fetch" },
    {
      verdict: "deny",
      tool: "run_command",
      command: "git push *",
      reason: "the person pushes",
      source: "user",
      text: "run_command(git push *)",
    },
  ]);
});

test("a project can forbid and ask, and never allow", async () => {
  const place = configPlace({
    project: `[permissions]\nallow = ["run_command"]\nask = ["write_file"]\n[[permissions.rules]]\nverdict = "allow"\ntool = "*"\n[[permissions.rules]]\nverdict = "deny"\ntool = "glob"\n[tools.approval]\nallowlist = ["run_command"]\n`,
  });
  const rules = ownRules(policyFromConfig(await place.load(), false));
  expect(rules.map(({ verdict, tool, source }) => [verdict, tool, source])).toEqual([
    ["ask", "write_file", "project"],
    ["deny", "glob", "project"],
  ]);
});

test("a rule that cannot be read names the place it stands in", async () => {
  const user = configPlace({ user: '[permissions]\n\ndeny = ["run_command(rm *"]\n' });
  expect(await failure(user)).toMatchObject({
    code: "config.invalid",
    message: expect.stringMatching(/config\.toml:3 \(user\): permissions\.deny: "run_command\(rm \*": /),
  });
  const project = configPlace({ project: '[permissions]\ndeny = ["glob(x)y"]\n' });
  expect(await failure(project)).toMatchObject({
    message: expect.stringMatching(/config\.toml:2 \(project\): permissions\.deny/),
  });
  const tables = configPlace({ user: '[[permissions.rules]]\nverdict = "deny"\ntool = "no tool"\n' });
  expect(await failure(tables)).toMatchObject({
    message: expect.stringMatching(/config\.toml:1: permissions\.rules: rule 1: "no tool"/),
  });
  expect(await failure(configPlace(), ['permissions.allow=["x("]'])).toMatchObject({
    message: expect.stringMatching(/^flag --set: permissions\.allow: "x\("/),
  });
});

test("approval mode and --yolo are taken over", async () => {
  const loaded = await configPlace({ user: '[tools.approval]\nmode = "strict"\n' }).load();
  expect(policyFromConfig(loaded, true)).toMatchObject({ approval: "strict", yolo: true });
});

test("protected files bind commands that name them, whatever else allows the command", async () => {
  const loaded = await configPlace({ user: '[permissions]\nallow = ["run_command"]\n' }).load();
  const policy = policyFromConfig(loaded, true);
  const verdict = (...argv: readonly string[]): string =>
    judge(command(...argv), { policy, mode: "auto", workspace, sandbox: noSandbox, face: "cli", now: 0 }).verdict;
  for (const argv of [
    ["cat", ".env"],
    ["cat", "/work/sub/.env.local"],
    ["cp", "/home/me/.ssh/id_rsa", "x"],
    ["git", "add", "server.pem"],
  ])
    expect([argv, verdict(...argv)]).toEqual([argv, "deny"]);
  expect(verdict("cat", "README.md")).toBe("allow");
});

test("what is protected is the person's to say", async () => {
  expect(await patterns([])).toEqual(defaultDeniedPatterns);
  expect(await patterns(['tools.sandbox.denied_patterns=["**/mine"]'])).toEqual([...defaultDeniedPatterns, "**/mine"]);
  expect(
    await patterns(["tools.sandbox.include_default_denies=false", 'tools.sandbox.denied_patterns=["**/mine"]']),
  ).toEqual(["**/mine"]);
});

/** The error that the rules of a place are refused with. */
async function failure(place: ConfigPlace, sets: readonly string[] = []): Promise<unknown> {
  try {
    policyFromConfig(await place.load({ sets }), false);
  } catch (error) {
    return error;
  }
  throw new Error("the rule was accepted");
}

async function patterns(sets: readonly string[]): Promise<readonly string[]> {
  return protectedPatterns((await configPlace().load({ sets })).values);
}

test("a host that can never match is an error that names its place", async () => {
  const place = configPlace({ user: '[sandbox]\nhosts = ["*.example.org", "https://example.org"]\n' });
  const error = await failure(place);
  expect(String(error)).toMatch(/config\.toml:2 .*sandbox\.hosts: "https:\/\/example\.org": write a host as/);
});
