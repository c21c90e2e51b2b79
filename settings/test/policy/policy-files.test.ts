import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTetherPolicy } from "@capstan/importers";
import { expect, onTestFinished, test } from "vitest";
import { readPolicyFile, readPolicyFiles } from "../../src/policy/read-policy-files.ts";
import { configPlace } from "../config/config-place.ts";
import { placeOfRule } from "../../src/policy/rule-place.ts";
import { writtenPolicy } from "./written-policy.ts";

test("a rule of a policy file has every field, and lists stand for a rule each", async () => {
  const { read } = writtenPolicy(
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
  expect(await writtenPolicy("p.toml", text).failure()).toBe(message);
});

test("a policy file that several layers name counts once, with the authority of whoever named it first", async () => {
  const managed = mkdtempSync(join(tmpdir(), "capstan-managed-"));
  onTestFinished(() => rmSync(managed, { recursive: true, force: true }));
  const file = join(managed, "p.toml");
  writeFileSync(file, '[[rules]]\nverdict = "deny"\ntool = "glob"\n', { mode: 0o600 });
  const owner = process.getuid?.() ?? 0;
  const list = `[permissions]\npolicy_files = [${JSON.stringify(file)}, ${JSON.stringify(file)}]\n`;
  writeFileSync(join(managed, "config.toml"), list, { mode: 0o600 });
  const loaded = await configPlace({ user: list }).load({ managed: { directory: managed, owner } });
  const files = await readPolicyFiles(loaded, { cwd: "/", managedOwner: owner, readYaml: readTetherPolicy });
  expect(files.map(({ source, rules }) => [source, rules.map(({ text }) => text)])).toEqual([["managed", ["glob"]]]);
});

test("a policy file includes others, from where it lies, each once and with its own authority", async () => {
  const place = configPlace({ user: '[permissions]\npolicy_files = ["team/base.toml"]\n' });
  const folder = join(place.home, "team");
  mkdirSync(join(folder, "packs"), { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text, { mode: 0o600 });
  write("base.toml", 'include = ["packs/git.toml", "./packs/../base.toml", "strict"]\n');
  write("packs/git.toml", 'include = "../more.toml"\n[[rules]]\nverdict = "deny"\ntool = "git_stash"\n');
  write("more.toml", '[[rules]]\nverdict = "ask"\ntool = "run_command"\ndestructive = true\n');
  const loaded = await place.load();
  const files = await readPolicyFiles(loaded, { cwd: "/", managedOwner: 0, readYaml: readTetherPolicy });
  expect(files.map(({ file }) => file.replace(folder, ""))).toEqual([
    "/base.toml",
    "/packs/git.toml",
    "policy strict",
    "/more.toml",
  ]);
  expect(new Set(files.flatMap(({ rules }) => rules.map(({ source }) => source)))).toEqual(new Set(["user"]));
  expect(files[3]?.rules).toMatchObject([{ tool: "run_command", destructive: true }]);
  const alone = await readPolicyFile("base.toml", { cwd: folder, readYaml: readTetherPolicy });
  expect(alone.rules.map(({ tool }) => tool)).toEqual(expect.arrayContaining(["git_stash", "run_command"]));
});

test.each([
  ['include = ["no.toml"]', /no\.toml: no such file/],
  ["include = [1]", /p\.toml:1: include: expected the name of a policy file/],
  ['include = "nothing"', /no policy nothing comes with Capstan/],
])("%s is refused", async (text, message) => {
  expect(await writtenPolicy("p.toml", text).failure()).toMatch(message);
});
