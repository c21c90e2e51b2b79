import { judge } from "@capstan/policy";
import { type Action, defaultDeniedPatterns, type Policy, type Workspace } from "@capstan/protocol";
import { action, noSandbox } from "@capstan/testkit";
import { expect, test } from "vitest";
import { policyFromConfig, protectedPatterns } from "../../src/policy/policy-from-config.ts";
import { sandboxSettings } from "../../src/session/session-config.ts";
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
reason = "the user pushes"
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
      reason: "the user pushes",
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

/** How commands are judged where every command is allowed. */
async function verdicts(sets: readonly string[]): Promise<(...argv: readonly string[]) => string> {
  const loaded = await configPlace({ user: '[permissions]\nallow = ["run_command"]\n' }).load({ sets });
  const policy = policyFromConfig(loaded, true);
  return (...argv) =>
    judge(command(...argv), { policy, mode: "auto", workspace, sandbox: noSandbox, frontend: "cli", now: 0 }).verdict;
}

test("protected files bind commands that name them, whatever else allows the command", async () => {
  const verdict = await verdicts([]);
  for (const argv of [
    ["cat", ".env"],
    ["cat", "/work/sub/.env.local"],
    ["cp", "/home/me/.ssh/id_rsa", "x"],
    ["git", "add", "server.pem"],
  ])
    expect([argv, verdict(...argv)]).toEqual([argv, "deny"]);
  expect(verdict("cat", "README.md")).toBe("allow");
});

test("what is protected is the user's to say", async () => {
  expect(await patterns([])).toEqual(defaultDeniedPatterns);
  expect(await patterns(['tools.sandbox.denied_patterns=["**/mine"]'])).toEqual([...defaultDeniedPatterns, "**/mine"]);
  expect(
    await patterns(["tools.sandbox.include_default_denies=false", 'tools.sandbox.denied_patterns=["**/mine"]']),
  ).toEqual(["**/mine"]);
});

test("a deny pattern has the layer it comes from as its source, also one that is built in", async () => {
  const place = configPlace({ user: '[tools.sandbox]\ndenied_patterns = ["**/mine", "**/.env"]\n' });
  const { rules } = policyFromConfig(
    await place.load({ sets: ['tools.sandbox.denied_patterns=["**/theirs"]'] }),
    false,
  );
  const own = rules.filter(({ protects, source }) => protects === true && source !== "built-in");
  expect(own.map(({ path, source }) => [path, source])).toEqual([
    ["**/mine", "user"],
    ["**/.env", "user"],
    ["**/theirs", "flag"],
  ]);
  expect(rules.filter(({ source }) => source === "built-in").map(({ path }) => path)).toEqual(defaultDeniedPatterns);
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

test.each([
  "*.1.2.3.4",
  "127.1",
  "2130706433",
  "0x7f000001",
  "a..b",
  "example.org:0",
  "example.org:99999",
  "256.1.1.1",
])("%s names no host in any spelling, and is refused", async (host) => {
  const error = await failure(configPlace({ user: `[sandbox]\nhosts = ["${host}"]\n` }));
  expect(String(error)).toContain("no host is ever called so");
});

test("addresses, ports and names of this machine can be named one by one", async () => {
  const hosts = ["10.0.0.1:8080", "[::1]:80", "localhost:8080", "mirror", "*", "*.example.org:8443"];
  const { values } = await configPlace({ user: `[sandbox]\nhosts = ${JSON.stringify(hosts)}\n` }).load();
  expect(values.sandbox.hosts).toEqual(hosts);
});

test("one word opens the registries of package managers, and its spelling is checked", async () => {
  const { values } = await configPlace({ user: '[sandbox]\nhosts = ["@registries", "mine.example"]\n' }).load();
  const { hosts } = sandboxSettings(values, { isolation: { type: "enforced" }, askPolicy: "ask" });
  expect(hosts).toEqual(expect.arrayContaining(["registry.npmjs.org", "pypi.org", "deb.debian.org", "mine.example"]));
  expect(hosts).not.toContain("@registries");
  const error = await failure(configPlace({ user: '[sandbox]\nhosts = ["@registry"]\n' }));
  expect(String(error)).toContain("@registry");
});

test("a deny pattern that cannot be read is an error that names its place and the remedy", async () => {
  const place = configPlace({
    user: '[tools.sandbox]\ndenied_patterns = [\n  "**/mine",\n  "~/keys/**",\n]\n',
  });
  expect(String(await failure(place))).toMatch(
    /config\.toml:2 .*tools\.sandbox\.denied_patterns: "~\/keys\/\*\*": .*write the absolute path/,
  );
});

test("a deny pattern with many stars denies what it means, and nothing else", async () => {
  const verdict = await verdicts(['tools.sandbox.denied_patterns=["**/a*b*c*d*e"]']);
  expect([verdict("cat", "README.md"), verdict("cat", "sub/axbxcxdxe")]).toEqual(["allow", "deny"]);
});
