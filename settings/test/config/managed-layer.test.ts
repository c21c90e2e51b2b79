import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readTetherPolicy } from "@capstan/importers";
import { expect, onTestFinished, test } from "vitest";
import { explainKey } from "../../src/config/explain-key.ts";
import type { ManagedPlace } from "../../src/config/managed-layer.ts";
import { readPolicyFiles } from "../../src/policy/read-policy-files.ts";
import { placeOfRule } from "../../src/policy/rule-place.ts";
import { policyFromConfig } from "../../src/policy/policy-from-config.ts";
import { configPlace } from "./config-place.ts";

function lockedOut(key: string): RegExp {
  return new RegExp(`${key} is ignored: it is locked by .*config\\.toml:1 \\(managed\\)$`);
}

/** A managed directory of the user who runs the tests, with these files. */
function managedPlace(files: Readonly<Record<string, string>>): ManagedPlace {
  const directory = mkdtempSync(join(tmpdir(), "capstan-managed-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text, { mode: 0o644 });
  }
  return { directory, owner: process.getuid?.() ?? 0 };
}

test("what the managed layer sets is a default, and what it locks nothing changes: file, preset, project, variable, flag", async () => {
  const managed = managedPlace({
    "config.toml":
      'locked = ["sandbox.mode", "limits"]\n[sandbox]\nmode = "required"\nauto_run = false\n[limits]\nmax_turn_seconds = 60\n',
  });
  const place = configPlace({
    user: '[sandbox]\nmode = "off"\nauto_run = true\n[presets.p.limits]\nmax_turn_seconds = 100\n',
    project: "[limits]\nmax_turn_seconds = 5\n",
  });
  const loaded = await place.load({
    managed,
    preset: "p",
    env: { CAPSTAN_SANDBOX: "off" },
    sets: ["limits.max_cost_usd=9"],
    flags: [{ flag: "--sandbox", key: "sandbox.mode", value: "preferred" }],
  });
  const { sandbox, limits } = loaded.values;
  expect([sandbox.mode, sandbox.auto_run, limits.max_turn_seconds, limits.max_cost_usd]).toEqual([
    "required",
    true,
    60,
    null,
  ]);
  expect(loaded.warnings.filter((warning) => lockedOut("sandbox\\.mode").test(warning)).length).toBe(3);
  expect(loaded.warnings.filter((warning) => lockedOut("limits\\.\\w+").test(warning)).length).toBe(3);
  const explained = explainKey(loaded, "sandbox.mode");
  expect([explained.origin.layer, explained.locked?.layer, explained.locked?.line]).toEqual(["managed", "managed", 1]);
});

test("safe mode does not escape it", async () => {
  const managed = managedPlace({ "config.toml": 'locked = ["sandbox.mode"]\n[sandbox]\nmode = "required"\n' });
  const { values } = await configPlace().load({ managed, safeMode: true, sets: ["sandbox.mode=off"] });
  expect(values.sandbox.mode).toBe("required");
});

test("its rules and those of policy.d are there, with their source and place, and a strict one is the least there is", async () => {
  const managed = managedPlace({
    "config.toml": '[[permissions.rules]]\nverdict = "ask"\ntool = "run_command"\nlocked = true\n',
    "policy.d/10-team.toml": 'approval = "strict"\n[[rules]]\nverdict = "deny"\ntool = "glob"\n',
    "policy.d/20-more.yaml": "rules:\n  - name: x\n    tool: Bash\n    command_patterns: ['^rm']\n    action: deny\n",
    "policy.d/notes.txt": "no policy",
  });
  const loaded = await configPlace({ user: '[tools.approval]\nmode = "permissive"\n' }).load({ managed });
  const files = await readPolicyFiles(loaded, { cwd: "/", managedOwner: managed.owner, readYaml: readTetherPolicy });
  const { rules, approval } = policyFromConfig(loaded, true, files);
  const own = rules.filter(({ source }) => source === "managed");
  expect(own.map((rule) => [rule.verdict, rule.text, placeOfRule(rule)?.replace(/^.*\//, "")])).toEqual([
    ["ask", "run_command", "config.toml:1 (managed)"],
    ["deny", "glob", "10-team.toml:2"],
    ["deny", "x: Bash(regex:^rm)", "20-more.yaml:2"],
  ]);
  expect(approval).toBe("strict");
});

test("a file that others could have written is ignored, loudly (T13)", async () => {
  const managed = managedPlace({
    "config.toml": '[sandbox]\nmode = "required"\n',
    "policy.d/p.toml": '[[rules]]\nverdict = "deny"\ntool = "glob"\n',
  });
  chmodSync(join(managed.directory, "config.toml"), 0o666);
  chmodSync(join(managed.directory, "policy.d/p.toml"), 0o664);
  const loaded = await configPlace().load({ managed });
  const files = await readPolicyFiles(loaded, { cwd: "/", managedOwner: managed.owner, readYaml: readTetherPolicy });
  expect(loaded.values.sandbox.mode).toBe("preferred");
  expect([...loaded.warnings, ...files.flatMap(({ warnings }) => warnings)]).toEqual([
    expect.stringMatching(/^MANAGED CONFIGURATION IGNORED: .*config\.toml: others may write to it \(mode 0666\)/),
    expect.stringMatching(/^MANAGED POLICY IGNORED: .*p\.toml: others may write to it \(mode 0664\)/),
  ]);
});

test("a directory that others could write to is ignored as a whole, and so is one of another owner", async () => {
  const open = managedPlace({ "config.toml": '[sandbox]\nmode = "required"\n' });
  chmodSync(open.directory, 0o777);
  const foreign = { ...managedPlace({ "config.toml": '[sandbox]\nmode = "required"\n' }), owner: 12_345 };
  const loaded = await Promise.all([open, foreign].map((managed) => configPlace().load({ managed })));
  expect(loaded.map(({ values }) => values.sandbox.mode)).toEqual(["preferred", "preferred"]);
  expect(loaded.map(({ warnings }) => warnings.length)).toEqual([1, 1]);
});

test.runIf(process.getuid?.() === 0)("a file of another user in root's directory is ignored", async () => {
  const managed = managedPlace({ "config.toml": '[sandbox]\nmode = "required"\n' });
  chownSync(join(managed.directory, "config.toml"), 12_345, 12_345);
  const { values, warnings } = await configPlace().load({ managed });
  expect([values.sandbox.mode, warnings.length]).toEqual(["preferred", 1]);
});

test("a further file adds to the usual one and takes nothing back", async () => {
  const managed = managedPlace({
    "config.toml": '[sandbox]\nmode = "required"\n[permissions]\ndeny = ["glob"]\n',
    "further.toml":
      'locked = ["sandbox.auto_run"]\n[sandbox]\nmode = "off"\nauto_run = false\n[permissions]\ndeny = ["search"]\n',
  });
  const env = { CAPSTAN_MANAGED_CONFIG: join(managed.directory, "further.toml") };
  const { values } = await configPlace().load({ managed, env, sets: ["sandbox.auto_run=true"] });
  expect([values.sandbox.mode, values.sandbox.auto_run, values.permissions.deny]).toEqual([
    "required",
    false,
    ["search", "glob"],
  ]);
});

test("what it says wrong is named and stops the start", async () => {
  const managed = managedPlace({ "config.toml": 'locked = ["sandbox.mod"]\n[sandbox]\nmode = "on"\nmodus = 1\n' });
  const { message } = await configPlace().failure({ managed });
  expect(message.split("\n").map((line) => line.replace(/^.*\/config/, "config"))).toEqual([
    "3 problems in the configuration:",
    "config.toml:4: unknown key sandbox.modus",
    expect.stringContaining("config.toml:3: sandbox.mode: expected one of required, preferred, off"),
    "config.toml:1: locked: sandbox.mod is no key and no table",
  ]);
});
