import type { Rule, RuleVerdict } from "@capstan/protocol";
import { expect, test } from "vitest";
import { parseRule, problemOfRule } from "../src/rules/parse-rule.ts";
import { type Command, fileAction, judgeCommandUnder, judgeUnder, rules } from "./situations.ts";

function checkRule(text: string, expected: Partial<Rule>): void {
  expect(parseRule(text, "allow", "user")).toEqual({
    verdict: "allow",
    source: "user",
    text: text.trim(),
    ...expected,
  });
}

function checkProblem(text: string, problem: string): void {
  expect(parseRule(text, "deny", "project")).toEqual({ problem });
}

test("a rule string names a tool and what its pattern speaks of", () => {
  checkRule("run_command", { tool: "run_command" });
  checkRule("*", { tool: "*" });
  checkRule("run_command(npm test)", { tool: "run_command", command: "npm test" });
  checkRule("  Bash(git log:*) ", { tool: "Bash", command: "git log:*" });
  checkRule("Shell(echo (a))", { tool: "Shell", command: "echo (a)" });
  checkRule("Bash(*)", { tool: "Bash" });
  checkRule("read_file(src/**)", { tool: "read_file", path: "src/**" });
  checkRule("Read(./.env)", { tool: "Read", path: "./.env" });
  checkRule("Edit(//etc/**)", { tool: "Edit", path: "//etc/**" });
  checkRule("Grep(a b/**)", { tool: "Grep", path: "a b/**" });
  checkRule("mcp__github__create_issue", { tool: "mcp__github__create_issue" });
  checkRule("mcp__github__*", { tool: "mcp__github__*" });
  checkRule("git_*", { tool: "git_*" });
});

test("a rule that cannot mean what was meant is refused, with what is expected", () => {
  checkProblem("", "write a rule as `tool` or `tool(pattern)`, as in `run_command(npm test)`, not ``");
  checkProblem("Bash(npm", "write a rule as `tool` or `tool(pattern)`, as in `run_command(npm test)`, not `Bash(npm`");
  checkProblem("npm test", "write a rule as `tool` or `tool(pattern)`, as in `run_command(npm test)`, not `npm test`");
  checkProblem("Bash()", "the pattern is empty; leave the parentheses out to mean every command (in `Bash()`)");
  checkProblem("Read( )", "the pattern is empty; leave the parentheses out to mean every path (in `Read( )`)");
  checkProblem("Bash(git:* push)", "`:*` may only stand at the end, as in `git log:*` (in `Bash(git:* push)`)");
  checkProblem("Bash(echo 'a)", "a quote is not closed (in `Bash(echo 'a)`)");
  checkProblem("Bash(a\u0007)", "the pattern holds control characters (in `Bash(a⟨U+0007⟩)`)");
  checkProblem(
    "Read(~/.ssh/**)",
    "`~` is not expanded; write the absolute path, as in `/home/me/**` (in `Read(~/.ssh/**)`)",
  );
  checkProblem("Read(../x)", "`..` never matches; write an absolute path (in `Read(../x)`)");
  checkProblem(
    "Read(!src/**)",
    "a pattern cannot be negated; write a second rule with another verdict (in `Read(!src/**)`)",
  );
  checkProblem("Read(src**/x)", "`**` must be a whole part, as in `src/**` (in `Read(src**/x)`)");
  checkProblem("Read({a/b,c}/x)", "braces may not hold a `/`; write one rule per path (in `Read({a/b,c}/x)`)");
  checkProblem(
    "Read(src/[a)",
    "it has a `[` without an end, or an unknown class in it; write `\\[` for a bracket in a name (in `Read(src/[a)`)",
  );
  checkProblem("Bäsh", "`B⟨U+00E4⟩sh` is no tool name; use letters, digits, `_` or `*` (in `B⟨U+00E4⟩sh`)");
  const nowhere =
    "takes no pattern; patterns are for commands (`run_command(npm test)`), files (`edit_file(src/**)`) and hosts (`web_fetch(example.org)`)";
  checkProblem("mcp__a__b(x)", `\`mcp__a__b\` ${nowhere}`);
});

test("a rule of fields is held to the same standard", () => {
  expect(problemOfRule({ tool: "run_command", command: "npm test" })).toBeUndefined();
  expect(problemOfRule({ tool: "*", path: "secret/**" })).toBeUndefined();
  expect(problemOfRule({ tool: "", path: "x" })).toBe("`` is no tool name; use letters, digits, `_` or `*`");
  expect(problemOfRule({ tool: "bash", command: " " })).toBe(
    "the pattern is empty; leave the parentheses out to mean every command",
  );
});

function checkAllowed(pattern: string, command: Command): void {
  expect([pattern, command, judgeCommandUnder(command, { rules: rules(`allow Bash(${pattern})`) }).verdict]).toEqual([
    pattern,
    command,
    "allow",
  ]);
}

function checkNotAllowed(pattern: string, command: Command): void {
  expect([pattern, command, judgeCommandUnder(command, { rules: rules(`allow Bash(${pattern})`) }).verdict]).toEqual([
    pattern,
    command,
    "ask",
  ]);
}

test("an allow pattern covers the whole command, word by word", () => {
  checkAllowed("npm test", "npm test");
  checkAllowed("npm test", "  npm   'test' ");
  checkAllowed("npm test", ["npm", "test"]);
  checkNotAllowed("npm test", "npm test x");
  checkNotAllowed("npm test", ["npm test"]);
  checkNotAllowed("npm test", "npm");
  checkNotAllowed("npm test", "./npm test");
  checkAllowed("git log:*", "git log");
  checkAllowed("git log:*", "git log --oneline -5");
  checkNotAllowed("git log:*", "git logs");
  checkAllowed("npm run test:*", "npm run test");
  checkAllowed("npm run test:*", "npm run test --watch");
  checkAllowed("npm run test:*", "npm run test:unit --watch");
  checkAllowed("npm * test:*", "npm run test:unit");
  checkNotAllowed("npm run test:*", "npm run tests");
  checkNotAllowed("npm run test:*", "npm run testing:x");
  checkNotAllowed("npm run test:*", "npm run build test:unit");
  // A name with a colon would be another command.
  checkNotAllowed("git log:*", "git log:x");
  checkNotAllowed("./x:*", "./x:y");
  checkNotAllowed("git log:*", "git lo");
  checkAllowed("npm run *", "npm run build");
  checkAllowed("npm run *", "npm run");
  checkNotAllowed("npm run *", "npm runs");
  checkAllowed("npm run test*", "npm run test:unit --x");
  checkAllowed("git * main", "git push origin main");
  checkNotAllowed("git * main", "git push origin maine");
  checkNotAllowed("git * main", ["git", "push main"]);
  checkAllowed("git commit -m 'a b'", ["git", "commit", "-m", "a b"]);
  checkNotAllowed("git commit -m 'a b'", ["git", "commit", "-m", "a", "b"]);
  checkAllowed("git commit *", ["git", "commit", "-m", "two\nlines"]);
  checkAllowed("rm '*'", ["rm", "*"]);
  checkNotAllowed("rm '*'", ["rm", "a"]);
});

test("an allow pattern applies to shell text only word for word", () => {
  checkAllowed("npm test > out.txt", " npm test > out.txt\n");
  checkNotAllowed("npm test > out.txt", "npm test > out.txt; x");
  checkNotAllowed("npm *", "npm test > out.txt");
  checkNotAllowed("npm test > out.txt", ["npm", "test", ">", "out.txt"]);
  checkAllowed("make a && make b", "make a && make b");
  checkAllowed("make *", "make a && make b | make c");
  checkNotAllowed("make a && make b", "make b && make a");
  checkNotAllowed("rm dist/*", "rm dist/*; x");
  checkAllowed("rm dist/*", "rm dist/*");
});

test("a rule that allows the whole tool allows shell text that is not understood, too", () => {
  checkAllowed("*", "echo $x > y");
});

function checkDenied(pattern: string, command: Command): void {
  expect([
    pattern,
    command,
    judgeCommandUnder(command, { rules: rules(`deny Bash(${pattern})`), yolo: true }).verdict,
  ]).toEqual([pattern, command, "deny"]);
}

function checkNotDenied(pattern: string, command: Command): void {
  expect([
    pattern,
    command,
    judgeCommandUnder(command, { rules: rules(`deny Bash(${pattern})`), yolo: true }).verdict,
  ]).toEqual([pattern, command, "allow"]);
}

test("a deny pattern is the beginning of a command", () => {
  checkDenied("rm", "rm");
  checkDenied("rm", "rm -rf x");
  checkDenied("rm:*", "a && rm x");
  checkDenied("rm *", "rm");
  checkNotDenied("rm", "rmdir x");
  checkNotDenied("rm", "echo rm");
  checkNotDenied("rm", "git rm x");
  checkNotDenied("rm", "grep -rn rm src");
  checkDenied("curl*", "curl http://x");
  checkDenied("git push", "git push --force");
  checkNotDenied("git push", "git pull");
  checkDenied("git push * --force", "git push origin main --force");
  checkNotDenied("git push * --force", "git push origin main");
  checkDenied("curl * | sh", "curl x | sh");
  checkNotDenied("curl * | sh", "curl x | cat");
  checkDenied("git push", "echo `git push`");
  checkDenied("npm run deploy:prod", "X=1 npm run deploy:prod");
  checkDenied("rm", "uv run rm x");
  checkDenied("rm", "fd a -x rm");
  checkNotDenied("rm", "fd rm");
  checkNotDenied("rm", "npm run rm");
  checkDenied("*", "true");
});

function checkPath(pattern: string, path: string, matches: boolean): void {
  const { verdict } = judgeUnder(fileAction("read_file", "read", path), { rules: rules(`deny Read(${pattern})`) });
  const outside = path.startsWith("/") && !path.startsWith("/ws/");
  expect([pattern, path, verdict]).toEqual([pattern, path, matches ? "deny" : outside ? "ask" : "allow"]);
}

test("a path pattern is a glob from the top of the workspace, or an absolute one", () => {
  checkPath("src/**", "src/a/b.ts", true);
  checkPath("src/**", "src/.hidden/x", true);
  checkPath("src/**", "x/src/y", false);
  checkPath("src/**", "srcs/y", false);
  checkPath("src/", "src/a", true);
  checkPath("./.env", ".env", true);
  checkPath(".env", "a/.env", false);
  checkPath("**/.env*", "a/b/.env.local", true);
  checkPath("**/.env*", ".env", true);
  checkPath("**/.env", "/elsewhere/.env", true);
  checkPath("*.ts", "a.ts", true);
  checkPath("*.ts", "a/b.ts", false);
  checkPath("a/*/c", "a/b/c", true);
  checkPath("a/*/c", "a/b/b/c", false);
  checkPath("a/**/c", "a/c", true);
  checkPath("**/a/**/b/**", "x/a/y/b/z", true);
  checkPath("{a,b}/x.?s", "b/x.ts", true);
  checkPath("app/[id]/page.tsx", "app/[id]/page.tsx", true);
  checkPath("/ws/src/**", "src/a", true);
  checkPath("//etc/**", "/etc/passwd", true);
  checkPath("etc/**", "/etc/passwd", false);
  checkPath("*", "a/b", true);
  checkPath("a b/ü*", "a b/ünder", true);
  checkPath("@(a|b)", "a", false);
  checkPath("*a*a*a*a", "xaxaxaxax", false);
  checkPath("*a*a*a*a", "src/xaxaxaxa", false);
  checkPath("**/*a*a*a*a", "src/xaxaxaxa", true);
});

test("what denies also means the same name in other letters, what allows does not", () => {
  checkPath("**/Secret.txt", "a/secret.TXT", true);
  checkPath("**/gehe\u0301im", "GEH\u00c9IM", true);
  const allowed = rules("allow Edit(src/Cart.ts)");
  const edit = (path: string): string => judgeUnder(fileAction("edit_file", "write", path), { rules: allowed }).verdict;
  expect([edit("src/Cart.ts"), edit("src/cart.ts")]).toEqual(["allow", "ask"]);
});

test("no path pattern is slow", () => {
  const deep = "a/".repeat(2_000);
  checkPath("**/a/**/a/**/a/**/a/**/b", deep, false);
  checkPath("*a*a*ab", "a".repeat(255), false);
  checkPath("*a*a*ab", "a".repeat(4_000), false);
});

function denies(rule: string, tool: string): boolean {
  return judgeUnder(fileAction(tool, "write", "a"), { rules: rules(`deny ${rule}`), yolo: true }).verdict === "deny";
}

function table(rule: string): readonly string[] {
  return ["read_file", "write_file", "edit_file", "apply_patch", "glob", "search", "mcp__s__t", "git_log"].filter(
    (tool) => denies(rule, tool),
  );
}

test("other agents' tool names mean ours", () => {
  expect(
    [
      "Read",
      "Edit",
      "Write",
      "edit_file",
      "Glob",
      "Grep",
      "Search",
      "mcp__s",
      "mcp__s__t",
      "mcp__*",
      "git_*",
      "Bash",
    ].map((rule) => [rule, table(rule)]),
  ).toEqual([
    ["Read", ["read_file"]],
    ["Edit", ["write_file", "edit_file", "apply_patch"]],
    ["Write", ["write_file", "edit_file", "apply_patch"]],
    ["edit_file", ["edit_file"]],
    ["Glob", ["glob"]],
    ["Grep", ["search"]],
    ["Search", ["search"]],
    ["mcp__s", ["mcp__s__t"]],
    ["mcp__s__t", ["mcp__s__t"]],
    ["mcp__*", ["mcp__s__t"]],
    ["git_*", ["git_log"]],
    ["Bash", []],
  ]);
});

function broken(verdict: RuleVerdict): Rule {
  return {
    verdict,
    tool: "read_file",
    path: "src**/x",
    source: "user",
    text: "?",
  };
}

test("a pattern a file smuggled in unread restricts everything and grants nothing", () => {
  expect(judgeUnder(fileAction("read_file", "read", "a"), { rules: [broken("deny")] }).verdict).toBe("deny");
  expect(
    judgeUnder(fileAction("read_file", "read", "a"), { rules: [broken("allow")], approval: "strict" }).verdict,
  ).toBe("ask");
});
