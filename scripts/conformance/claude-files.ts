import { deepStrictEqual, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ConformancePart } from "./part.ts";
import type { Stage, Surroundings } from "./surroundings.ts";

/** Scripts that are hooks, as their makers' packages have them: event, matcher, and the command. */
const hooks: readonly (readonly [string, string, string])[] = [
  ["SessionStart", "", "selfish-pipeline/scripts/session-start-context.sh"],
  ["UserPromptSubmit", "", "selfish-pipeline/scripts/selfish-user-prompt-submit.sh"],
  ["UserPromptSubmit", "", "node @coo-quack/sensitive-canary/dist/user-prompt-submit-hook.js"],
  ["PreToolUse", "Bash", "selfish-pipeline/scripts/selfish-bash-guard.sh"],
  ["PreToolUse", "Read|NotebookRead|Bash|Grep|mcp__.*", "node @coo-quack/sensitive-canary/dist/pre-tool-use-hook.js"],
  ["PreToolUse", "Bash", "node cc-safety-net/dist/bin/cc-safety-net.js hook --claude-code"],
  ["PreToolUse", "Write", "python3 @torka/claude-qol/hooks/auto_approve_safe.py"],
  ["PermissionRequest", "", "selfish-pipeline/scripts/selfish-permission-request.sh"],
  ["PostToolUse", "Edit|MultiEdit|Write", "selfish-pipeline/scripts/track-selfish-changes.sh"],
  ["PostToolUse", "Edit|MultiEdit|Write", "selfish-pipeline/scripts/selfish-auto-format.sh"],
  ["PostToolUseFailure", "", "selfish-pipeline/scripts/selfish-failure-hint.sh"],
  ["Stop", "", "selfish-pipeline/scripts/selfish-stop-gate.sh"],
  ["SessionEnd", "", "selfish-pipeline/scripts/selfish-session-end.sh"],
];

/** Folders with a `SKILL.md`. */
const skills: readonly string[] = [
  ...["code-documentation", "optimize-agents-md", "scaffold-rules", "typescript-lsp", "validate-skill"].map(
    (name) => `@plaited/development-skills/skills/${name}`,
  ),
  "@torka/claude-qol/skills/nash",
];

const commands = "selfish-pipeline/commands";

function call(name: string, args: object): object {
  return { tool_calls: [{ name, arguments: args }] };
}

async function runHooks(surroundings: Surroundings): Promise<void> {
  const { folder, workspace } = surroundings;
  const modules = join(folder, "node_modules");
  const tables = hooks.map(([event, matcher, command]) => {
    const words = command.split(" ");
    const at = words.length === 1 ? 0 : 1;
    const line = words.map((word, index) => (index === at ? `'${join(modules, word)}'` : word)).join(" ");
    const program = at === 0 ? `bash ${line}` : line;
    return `[[hooks.${event}]]\nmatcher = ${JSON.stringify(matcher)}\ncommand = ${JSON.stringify(program)}\n`;
  });
  mkdirSync(join(folder, "data"), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "data", "config.toml"), tables.join("\n"), { mode: 0o600 });
  writeFileSync(join(workspace, "package.json"), "{}\n");
  const stage = await surroundings.rehearse([
    call("run_command", { command: "git reset --hard" }),
    call("run_command", { command: "sleep 30", timeout_seconds: 1 }),
    call("write_file", { path: "a.txt", content: "one\n" }),
    { text: "done" },
    call("read_file", { path: "a.txt" }),
    call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" }),
    { text: "done" },
  ]);
  const flags = ["run", "-m", "anthropic/rehearsal", "--output-format", "stream-json", "--session-id", "hooks"];
  await capstan(surroundings, stage, [...flags, "--permission-mode", "accept-edits", "Work."]);
  await capstan(surroundings, stage, [...flags.slice(0, 5), "--continue", "--permission-mode", "default", "Work on."]);
  const exported = await capstan(surroundings, stage, ["sessions", "export", "hooks"]);
  const results = new Map<string, Set<string>>();
  for (const [, name = "", result = ""] of exported.matchAll(
    /"name":"(\[\[hooks\.\w+\]\] \d+)","by":"user","result":"(\w+)"/g,
  ))
    results.set(name, (results.get(name) ?? new Set()).add(result));
  const bad = [...results].filter(([, all]) => [...all].some((each) => !/passed|blocked|skipped/.test(each)));
  deepStrictEqual(bad, []);
  deepStrictEqual([...results.keys()].length, hooks.length, JSON.stringify([...results.keys()]));
  // Of those that guard one refused, and the model read why.
  ok(JSON.stringify(stage.rehearsal.exchanges[1]?.body).includes("BLOCKED by CC Safety Net"));
}

async function readSkills(surroundings: Surroundings): Promise<void> {
  const { folder } = surroundings;
  const home = join(folder, "home", ".claude", "skills");
  for (const skill of skills)
    cpSync(join(folder, "node_modules", skill), join(home, basename(skill)), { recursive: true });
  const names = skills.map((skill) => {
    const text = readFileSync(join(folder, "node_modules", skill, "SKILL.md"), "utf8");
    return /^name: *"?([\w-]+)"? *$/m.exec(text)?.[1] ?? basename(skill);
  });
  const turns = names.map((name) => call("skill", { name }));
  const stage = await surroundings.rehearse([...turns, { text: "done" }]);
  await capstan(surroundings, stage, ["run", "-m", "anthropic/rehearsal", "Read them."]);
  const said = JSON.stringify(stage.rehearsal.exchanges.at(-1)?.body);
  for (const skill of skills) {
    const text = readFileSync(join(folder, "node_modules", skill, "SKILL.md"), "utf8");
    const heading = /^# .+$/m.exec(text)?.[0] ?? "";
    ok(heading !== "" && said.includes(JSON.stringify(heading).slice(1, -1)), `${skill}: ${heading}`);
  }
}

async function giveCommands(surroundings: Surroundings): Promise<void> {
  const { folder } = surroundings;
  const home = join(folder, "home", ".claude", "commands", "selfish");
  mkdirSync(dirname(home), { recursive: true });
  cpSync(join(folder, "node_modules", commands), home, { recursive: true });
  const files = readdirSync(home).filter((name) => name.endsWith(".md"));
  const stage = await surroundings.rehearse(files.map(() => ({ text: "done" })));
  for (const [at, file] of files.entries()) {
    const prompt = `/selfish:${file.slice(0, -".md".length)} words-of-the-user`;
    await capstan(surroundings, stage, ["run", "-m", "anthropic/rehearsal", prompt]);
    const said = JSON.stringify(stage.rehearsal.exchanges[at]?.body);
    ok(said.includes("words-of-the-user"), prompt);
    ok(!said.includes(prompt), prompt);
  }
  ok(files.length >= 18);
}

/** What it prints; a turn in which a call was denied is none that failed. */
async function capstan({ binary, workspace }: Surroundings, stage: Stage, args: readonly string[]): Promise<string> {
  return await new Promise((resolve, reject) => {
    const options = { cwd: workspace, env: { ...stage.env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [binary, ...args], options, (error, stdout, stderr) => {
      if (error === null || error.code === 3) resolve(stdout);
      else reject(new Error(`${args.join(" ")}: ${error.message}\n${stderr}`));
    });
    child.stdin?.end();
  });
}

/** Hook scripts, skills and commands that were written for Claude Code, unchanged. Their licences: docs/coming-from.md. */
export const claudeFiles: ConformancePart = {
  name: "claude-files",
  packages: [
    "selfish-pipeline@1.3.0",
    "@coo-quack/sensitive-canary@0.8.1",
    "cc-safety-net@2.4.5",
    "@torka/claude-qol@0.3.0",
    "@plaited/development-skills@0.8.1",
  ],
  stories: {
    [`${hooks.length} hook scripts of four packages run and are obeyed`]: runHooks,
    [`${skills.length} skills of two packages are read`]: readSkills,
    "18 commands of a package are given, with lines to run and arguments": giveCommands,
  },
};
