import { defaultDeniedPatterns, type Rule, type RuleVerdict, type SandboxSettings } from "@capstan/protocol";
import { expect, test } from "vitest";
import { judge } from "../src/judge/judge.ts";
import { type Command, commandAction, policy, rules, situation } from "./situations.ts";

const protecting = (path: string, source: Rule["source"]): Rule => ({
  verdict: "deny",
  tool: "read_file",
  path,
  protects: true,
  source,
  text: `read_file(${path})`,
});
const builtIn = defaultDeniedPatterns.map((path) => protecting(path, "built-in"));

interface Where {
  readonly rules?: readonly Rule[];
  readonly workspace?: "read" | "build" | "write";
  readonly isolation?: "enforced" | "partial";
  readonly autoRun?: boolean;
  /** What the tolerant walk found. */
  readonly nested?: readonly (readonly string[])[];
}

function verdict(command: Command, { workspace = "build", isolation = "enforced", ...where }: Where = {}): RuleVerdict {
  const nested = (where.nested ?? []).map((words) => ({ words }));
  const action = commandAction(command, "/ws", nested);
  const confinement = { type: "sandbox", workspace, hosts: [], writable: [] } as const;
  const under = situation(
    policy({ rules: where.rules ?? builtIn }),
    workspace === "write" ? "accept-edits" : "default",
  );
  const sandbox: SandboxSettings = {
    isolation: isolation === "enforced" ? { type: "enforced" } : { type: "partial", lacks: ["x"] },
    autoRun: where.autoRun ?? true,
    withoutIsolation: "run",
    hosts: [],
  };
  return judge({ ...action, command: { ...action.command, confinement } }, { ...under, sandbox }).verdict;
}

const mentions: readonly Command[] = [
  "ls -la .git",
  "cat .git/HEAD",
  "find . -name .env",
  "find . -name '.env' -o -name '*.pem'",
  "ls -la .env server.pem",
  "stat .env && du -sh .git",
  "test -f .env && echo yes",
  ["[", "-f", ".env", "]"],
  "git log --oneline -- .env",
  "git --no-pager log -p -- '**/.env'",
  "git check-ignore -v .env",
  "git ls-files | grep -E '[.]env$'",
  "git ls-files | grep .env",
  "git -C packages/a status .env",
  "git commit -m 'ignore .env'",
  "git commit -am 'ignore .env' src",
  "git clean -ndx -e .env",
  "grep -rn process.env src --include='*.ts'",
  "grep -n -e .env .gitignore",
  "rg -n process.env src",
  "jq -r .env package.json",
  "sed -n s/.env/x/p .gitignore",
  "awk /.env/ .gitignore",
  "node -p process.env",
  "printf '%s' .env",
];

test.each(mentions)("in an enforced sandbox what only names a protected file goes through: %s", (command) => {
  expect(verdict(command)).toBe("allow");
  expect(verdict(command, { workspace: "write" })).toBe("allow");
});

test.each<Command>([
  "cat .env",
  "head -5 keys/server.pem",
  "grep KEY .env",
  "grep -e KEY .env",
  "grep -f .env src/a.ts",
  "grep -r --include=.env KEY .",
  "grep -r --include .env KEY .",
  "grep -ne KEY .env",
  "rg --files .env",
  "rg -g .env KEY",
  "rg -ng .env KEY",
  "rg -g.env KEY",
  "find . -name .env -exec cat {} +",
  "find . -name .env -delete",
  "ls --files0-from=.env",
  "du --files0-from=.env",
  "tree -o .env",
  "sed -n p .env",
  "sed -e p .env",
  "awk 1 .env",
  "awk -f .env x",
  "jq . .env",
  "jq -f .env x",
  "node .env",
  "node --env-file=.env a.js",
  "git diff --no-index /dev/null .env",
  "git log --output=.env",
  "git grep --no-index KEY .env",
  "git add .env",
  "git commit -F .env",
  "git commit .env -m x",
  "git -C .env --no-pager add .env",
  "cp .env.example .env",
  "rm -f .env",
  "./ls .env",
])("a direct access to a protected file is refused as before: %s", (command) => {
  expect(verdict(command)).toBe("deny");
  expect(verdict(command, { workspace: "write" })).toBe("deny");
});

test("without an enforced sandbox, and for every rule of the user's own, the words count", () => {
  const own = [
    protecting("**/.env", "user"),
    protecting("**/.git/**", "project"),
    ...rules("deny Read(**/server.pem)"),
  ];
  const named: readonly Command[] = ["ls -la .git", "find . -name .env", "git log -- server.pem"];
  expect(named.map((command) => verdict(command, { isolation: "partial" }))).toEqual(["deny", "deny", "deny"]);
  expect(named.map((command) => verdict(command, { rules: own }))).toEqual(["deny", "deny", "deny"]);
  expect(named.map((command) => verdict(command, { rules: [...builtIn, ...own] }))).toEqual(["deny", "deny", "deny"]);
});

test("what reads whole folders is known to read where the sandbox keeps the protected files", () => {
  expect(verdict("grep -rn TODO .", { autoRun: false })).toBe("allow");
  expect(verdict("cd src && ls", { autoRun: false })).toBe("allow");
  expect(verdict("grep -rn TODO .", { autoRun: false, isolation: "partial" })).toBe("ask");
  expect(verdict("grep -rn TODO .", { autoRun: false, rules: [protecting("**/.env", "user")] })).toBe("ask");
});

test("of a text that is not understood, its commands count, and what it is led from and to", () => {
  expect(verdict("echo .env >> .gitignore", { nested: [["echo", ".env"]] })).toBe("allow");
  expect(verdict("echo .env >> .gitignore", { nested: [["echo", ".env"]], workspace: "write" })).toBe("allow");
  expect(verdict("node -e 'f(process.env); g()' 2>&1", { nested: [["node", "-e", "f(process.env); g()"]] })).toBe(
    "allow",
  );
  const refused: readonly (readonly [string, readonly string[]])[] = [
    ["echo x > .env", ["echo", "x"]],
    ["echo x >> '.env'", ["echo", "x"]],
    ["echo x 2>&1 >|.env", ["echo", "x"]],
    ["wc -l < .env", ["wc", "-l"]],
    ["F=.env x", ["x"]],
    ["cat .env 2>/dev/null", ["cat", ".env"]],
  ];
  expect(refused.map(([script, words]) => verdict(script, { nested: [words] }))).toEqual(refused.map(() => "deny"));
  // Where no command was found, nothing tells what the text does.
  expect(verdict("ls .env 2>/dev/null")).toBe("deny");
});

test("where the workspace may be changed, the inside of .git is only read", () => {
  const inside = { workspace: "write" } as const;
  expect(verdict("cp a .git/hooks/pre-commit", inside)).toBe("deny");
  expect(verdict("echo x > .git/HEAD", { ...inside, nested: [["echo", "x"]] })).toBe("deny");
  expect(verdict("head -1 .git/HEAD", inside)).toBe("allow");
  expect(verdict("head -1 .git/HEAD 2>&1", { ...inside, nested: [["head", "-1", ".git/HEAD"]] })).toBe("allow");
});
