import type { ApprovalMode, PermissionMode, RuleVerdict } from "@capstan/protocol";
import { permissionModes } from "@capstan/protocol";
import { expect, test } from "vitest";
import type { JudgedAction } from "../src/situation.ts";
import { judge } from "../src/judge/judge.ts";
import {
  type Command,
  commandAction,
  fileAction,
  judgeUnder,
  policy,
  rules,
  situation,
  type Under,
} from "./situations.ts";

const approvals: readonly ApprovalMode[] = ["permissive", "default", "strict"];

/** Verdicts by mode (plan, default, accept-edits, auto), one row per approval. */
function checkTable(action: JudgedAction, table: readonly (readonly RuleVerdict[])[]): void {
  const actual = approvals.map((approval) =>
    permissionModes.map((mode) => judgeUnder(action, { mode, approval }).verdict),
  );
  expect(actual).toEqual(table);
}

test("reading inside the workspace is free; strict approval asks", () => {
  checkTable(fileAction("read_file", "read", "a"), [
    ["allow", "allow", "allow", "allow"],
    ["allow", "allow", "allow", "allow"],
    ["ask", "ask", "ask", "allow"],
  ]);
});

test("reading outside the workspace, or nobody knows where, is asked about", () => {
  const rows: readonly RuleVerdict[] = ["ask", "ask", "ask", "ask"];
  checkTable(fileAction("read_file", "read", "/etc/passwd"), [rows, rows, rows]);
  checkTable(fileAction("read_file", "read", "a", "/ws_evil/b"), [rows, rows, rows]);
  checkTable({ tool: "web_fetch", effect: "read", risk: "medium", paths: [] }, [rows, rows, rows]);
});

test("changing files goes by mode and approval", () => {
  checkTable(fileAction("edit_file", "write", "a", "b"), [
    ["deny", "allow", "allow", "allow"],
    ["deny", "ask", "allow", "allow"],
    ["deny", "deny", "allow", "allow"],
  ]);
});

test("changing files outside the workspace, or what governs agents, is asked about in every mode that changes", () => {
  for (const path of [
    "/etc/x",
    "AGENTS.md",
    "sub/.git/hooks/pre-commit",
    ".Capstan/config.toml",
    "x/CLAUDE.md",
    ".mcp.json",
    ".git./config",
    "AGENTS.md\u200b",
    "A\u00adGENTS\ufe0f.md\ufeff",
    ".vscode/tasks.json",
    ".idea/workspace.xml",
    "sub/.husky/pre-commit",
    ".githooks/x",
    ".envrc",
    ".devcontainer/devcontainer.json",
    ".cursorrules",
    ".windsurfrules",
    "bare/hooks/post-checkout",
    "bare/HEAD",
  ]) {
    checkTable(fileAction("write_file", "write", path), [
      ["deny", "ask", "ask", "ask"],
      ["deny", "ask", "ask", "ask"],
      ["deny", "deny", "ask", "ask"],
    ]);
  }
  expect(judgeUnder(fileAction("write_file", "write", "AGENTS.md"), { rules: rules("allow Edit") }).verdict).toBe(
    "ask",
  );
  expect(judgeUnder(fileAction("write_file", "write", "AGENTS.md"), { rules: rules("allow Edit(**)") }).verdict).toBe(
    "ask",
  );
  expect(
    judgeUnder(fileAction("write_file", "write", "AGENTS.md"), { rules: rules("allow Edit(AGENTS.md)") }).verdict,
  ).toBe("allow");
  const plain = [".gitignore", "hooks/use-state.ts", "src/update.ts", "HEADER", "HEAD.md", "package.json", "config"];
  const accept = { mode: "accept-edits" } as const;
  const judged = plain.map((path) => judgeUnder(fileAction("write_file", "write", path), accept).verdict);
  expect(new Set(judged)).toEqual(new Set(["allow"]));
});

test("what git obeys in a repository without a working tree is asked about, although its name does not tell", () => {
  const accept = { mode: "accept-edits" } as const;
  const plain = fileAction("write_file", "write", "docs/config");
  const governing = { ...plain, paths: plain.paths.map((use) => ({ ...use, governs: true as const })) };
  expect([judgeUnder(plain, accept).verdict, judgeUnder(governing, accept).verdict]).toEqual(["allow", "ask"]);
  expect(judgeUnder(governing, { rules: rules("allow Edit(**)") }).verdict).toBe("ask");
});

test("commands that only read are free; others ask; mode auto runs what is understood", () => {
  for (const command of ["ls src", ["cat", "a b"]] satisfies readonly Command[]) {
    checkTable(commandAction(command), [
      ["deny", "allow", "allow", "allow"],
      ["deny", "allow", "allow", "allow"],
      ["deny", "deny", "deny", "allow"],
    ]);
  }
  for (const command of [
    "npm test",
    "ls && npm test",
    ["make"],
    ["bash", "-lc", "make && make x"],
  ] satisfies readonly Command[]) {
    checkTable(commandAction(command), [
      ["deny", "ask", "ask", "allow"],
      ["deny", "ask", "ask", "allow"],
      ["deny", "deny", "deny", "allow"],
    ]);
  }
  for (const command of [
    "npm test > x",
    "ls *",
    ["cat", "\u200b"],
    ["bash", "-c", "make > x"],
    ["sh", "-ec", "ls"],
    "eval ls",
    "sudo sh -c 'make > x'",
    "timeout 9 bash -c '$x'",
  ] satisfies readonly Command[]) {
    checkTable(commandAction(command), [
      ["deny", "ask", "ask", "ask"],
      ["deny", "ask", "ask", "ask"],
      ["deny", "deny", "deny", "ask"],
    ]);
  }
});

test("effects beyond files and commands are asked about", () => {
  checkTable({ tool: "spawn_agent", effect: "execute", risk: "high", paths: [] }, [
    ["deny", "ask", "ask", "ask"],
    ["deny", "ask", "ask", "ask"],
    ["deny", "deny", "deny", "ask"],
  ]);
  checkTable({ tool: "remember", effect: "write", risk: "medium", paths: [] }, [
    ["deny", "ask", "ask", "allow"],
    ["deny", "ask", "ask", "allow"],
    ["deny", "deny", "deny", "allow"],
  ]);
});

test("--yolo allows what no rule denies or asks about, except in plan mode", () => {
  const everything: readonly JudgedAction[] = [
    commandAction("a > b; $c"),
    commandAction("make", "/"),
    fileAction("write_file", "write", "/etc/x", "AGENTS.md"),
    fileAction("read_file", "read", "/etc/x"),
    { tool: "spawn_agent", effect: "execute", risk: "high", paths: [] },
  ];
  for (const action of everything) {
    const verdict = (under: Under): RuleVerdict => judgeUnder(action, { yolo: true, ...under }).verdict;
    expect(verdict({})).toBe("allow");
    expect(verdict({ approval: "strict" })).toBe("allow");
    expect(verdict({ rules: rules("ask *") })).toBe("ask");
    expect(verdict({ rules: rules("deny *") })).toBe("deny");
    expect(verdict({ mode: "plan" })).toBe(action.effect === "read" ? "allow" : "deny");
  }
});

test("a script written for a shell the lexer does not know is not understood", () => {
  const action = commandAction("ls");
  const form = { type: "script", script: "ls", shell: "/usr/bin/fish" } as const;
  expect(judgeUnder({ ...action, command: { ...action.command, form } })).toEqual({
    verdict: "ask",
    reason: "Needs approval: `ls` has the language of another shell, so its effect is not certain.",
  });
});

function checkFiles(
  lines: readonly string[],
  action: JudgedAction,
  verdict: RuleVerdict,
  mode: PermissionMode = "default",
): void {
  expect(judgeUnder(action, { rules: rules(...lines), mode }).verdict).toBe(verdict);
}

test("every path of an action must be allowed, and one that is denied denies", () => {
  const both = fileAction("apply_patch", "write", "src/a", "docs/b");
  checkFiles(["allow Edit(src/**)"], both, "ask");
  checkFiles(["allow Edit(src/**)", "allow Edit(docs/*)"], both, "allow");
  checkFiles(["allow Edit"], both, "allow");
  checkFiles(["allow Edit", "ask Edit(docs/**)"], both, "ask");
  checkFiles(["allow Edit", "deny Edit(docs/**)"], both, "deny", "auto");
  checkFiles(["deny *(*)"], both, "deny");
  checkFiles(["allow Edit(/etc/**)"], fileAction("write_file", "write", "/etc/x"), "allow");
  checkFiles(["deny Read(/extra/x/**)"], fileAction("read_file", "read", "/extra/x/y"), "deny");
  checkFiles(["deny Read(x/**)"], fileAction("read_file", "read", "/extra/x/y"), "deny");
});

test("every command of a script must be allowed, and one that is denied denies", () => {
  const script = commandAction("make a && cat x | tool y");
  checkFiles(["allow Bash(make *)"], script, "ask");
  checkFiles(["allow Bash(make *)", "allow Bash(tool *)"], script, "allow");
  checkFiles(["allow Bash"], script, "allow");
  checkFiles(["allow Bash", "ask Bash(tool)"], script, "ask");
  checkFiles(["allow Bash", "ask Bash(make)", "deny Bash(tool)"], script, "deny", "auto");
});

test("a grant answers an ask rule, and never a deny rule or plan mode", () => {
  const [grant] = rules("allow Bash(make *)");
  const granted = { ...(grant ?? { verdict: "allow", tool: "-", text: "-" }), source: "grant" } as const;
  const verdict = (...lines: readonly string[]): RuleVerdict =>
    judgeUnder(commandAction("make x"), { rules: [granted, ...rules(...lines)] }).verdict;
  expect([verdict("ask Bash"), verdict("deny Bash"), verdict("ask Bash(make x)", "deny Bash(make)")]).toEqual([
    "allow",
    "deny",
    "deny",
  ]);
  expect(judgeUnder(commandAction("make x"), { rules: [granted], mode: "plan" }).verdict).toBe("deny");
  const edits = { verdict: "allow", tool: "edit_file", path: "a", source: "grant", text: "edit_file(a)" } as const;
  expect(judgeUnder(fileAction("edit_file", "write", "a"), { rules: [edits, ...rules("ask Edit")] }).verdict).toBe(
    "allow",
  );
  expect(judgeUnder(fileAction("edit_file", "write", "b"), { rules: [edits, ...rules("ask Edit")] }).verdict).toBe(
    "ask",
  );
});

test("a rule of fields may name command and path at once", () => {
  const rule = {
    verdict: "deny",
    tool: "run_command",
    command: "rm",
    path: "src/**",
    source: "user",
    text: "rm in src",
  } as const;
  const verdict = (command: string): RuleVerdict =>
    judgeUnder(commandAction(command), { rules: [rule], mode: "auto" }).verdict;
  expect([
    verdict("rm src/a"),
    verdict("rm -rf ./src/a"),
    verdict("rm a"),
    verdict("mv src/a b"),
    verdict("sudo rm src/a"),
  ]).toEqual(["deny", "deny", "allow", "allow", "deny"]);
});

test("a judgement says in one sentence who decided", () => {
  const [rule] = rules("deny Bash(rm)");
  const withReason = {
    ...(rule ?? { verdict: "deny", tool: "-", source: "user", text: "-" }),
    reason: "use the trash.",
  } as const;
  expect(judgeUnder(commandAction("ls; rm -rf 'a b'"), { rules: [withReason] })).toEqual({
    verdict: "deny",
    reason: "The user rule `Bash(rm)` denies `rm -rf 'a b'`: use the trash.",
    rule: withReason,
  });
  expect(judgeUnder(fileAction("edit_file", "write", "src/a", "b"))).toEqual({
    verdict: "ask",
    reason: "Needs approval: it changes `src/a` and 1 more.",
  });
  expect(judgeUnder(commandAction("ls && wc -l a"))).toEqual({
    verdict: "allow",
    reason: "Every command of the script only reads inside the workspace.",
  });
});

test("a workspace that lies in an agent's folder is a workspace like any other", () => {
  const workspace = { cwd: "/home/me/.claude/ws", roots: ["/home/me/.claude/ws"] };
  const write = (shown: string): JudgedAction => ({
    ...fileAction("write_file", "write", shown),
    paths: [{ real: `${workspace.cwd}/${shown}`, shown, access: "write" }],
  });
  const under = { ...situation(policy(), "accept-edits"), workspace };
  expect(judge(write("src/a.ts"), under).verdict).toBe("allow");
  expect(judge(write(".claude/settings.json"), under).verdict).toBe("ask");
});
