import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { limited, usePlace } from "../stage/place.ts";
import { gone } from "../stage/process-state.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

const write = (path: string) => ({ name: "write_file", arguments: { path, content: "one\n" } });
const editing = ["--permission-mode", "accept-edits"];

function turnsThatWrite(...paths: readonly string[]): readonly object[] {
  return paths.flatMap((path) => [{ tool_calls: [write(path)] }, { text: "done" }]);
}

/** The user's configuration. */
function configure(toml: string): void {
  mkdirSync(place.data, { mode: 0o700, recursive: true });
  writeFileSync(join(place.data, "config.toml"), toml, { mode: 0o600 });
}

/** A hook as TOML: what it does is a line for the shell. */
function hook(event: string, command: string, more = ""): string {
  return `[[hooks.${event}]]\ncommand = ${JSON.stringify(command)}\n${more}\n`;
}

function said(output: object): string {
  return `echo '${JSON.stringify(output)}'`;
}

function decides(decision: object): string {
  return said({ hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } });
}

/** Writes another file than the call says. */
function other(path: string): string {
  return decides({ updatedInput: { file_path: path, content: "two\n" } });
}

test("a guard in Claude Code's form that ends with 2 refuses the call, the model reads why, and what it passes runs; also the second time", async () => {
  const guard = `grep -q secret.txt && { echo "not that file" >&2; exit 2; }; exit 0`;
  configure(hook("PreToolUse", guard, 'matcher = "Edit|Write"'));
  const turns = [{ tool_calls: [write("secret.txt"), write("plain.txt")] }, { text: "done" }];
  const stage = await place.rehearse("anthropic", [...turns, ...turns]);
  for (const round of [1, 2]) {
    const run = await stage.run([...editing, "go"]);
    expect([run.code, place.has("secret.txt"), place.has("plain.txt")]).toEqual([3, false, true]);
    const [refused, passed] = resultsOf(stage.exchanges[2 * round - 1]);
    expect(refused?.text).toContain("not that file");
    expect(run.stderr).toContain("The PreToolUse hook [[hooks.PreToolUse]] 1 refused: not that file");
    expect(passed?.isError).toBe(round === 2);
  }
});

slowTest(
  "a hook's yes answers what only the mode asks about; no rule and no other hook is overruled by it",
  async () => {
    const yes = hook("PreToolUse", decides({ permissionDecision: "allow" }));
    configure(yes);
    const stage = await place.rehearse("anthropic", turnsThatWrite("a.txt", "b.txt", "c.txt"));
    expect((await stage.run(["go"])).code).toBe(0);
    expect((await stage.run(["--deny", "write_file(b.txt)", "go"])).code).toBe(3);
    configure(yes + hook("PreToolUse", decides({ permissionDecision: "ask" })));
    expect((await stage.run(["go"])).code).toBe(3);
  },
);

slowTest(
  "a script in Claude Code's form answers at PermissionRequest what only the mode asks about, where nobody is at hand, twice",
  async () => {
    const yes = said({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } });
    configure(hook("PermissionRequest", `cat >> ${join(place.folder, "seen")}; ${yes}`, 'matcher = "Write"'));
    const stage = await place.rehearse("anthropic", turnsThatWrite("a.txt", "b.txt", "c.txt"));
    expect((await stage.run(["go"])).code).toBe(0);
    expect((await stage.run(["--continue", "go"])).code).toBe(0);
    // What a rule denies is no question.
    expect((await stage.run(["--deny", "write_file(c.txt)", "go"])).code).toBe(3);
    const inputs = readFileSync(join(place.folder, "seen"), "utf8").trim().split("\n");
    expect(inputs.map((line): unknown => JSON.parse(line))).toMatchObject([
      { hook_event_name: "PermissionRequest", tool_name: "Write", tool_input: { content: "one\n" } },
      { hook_event_name: "PermissionRequest", permission_mode: "default" },
    ]);
    expect([place.has("a.txt"), place.has("b.txt"), place.has("c.txt")]).toEqual([true, true, false]);
  },
);

slowTest(
  "a hook that gives no answer in time is no yes: where nobody can be asked the call is denied, and not by a user",
  async () => {
    configure(hook("PreToolUse", "sleep 60", "timeout = 0.2"));
    const stage = await place.rehearse("anthropic", [{ tool_calls: [write("a.txt")] }, { text: "done" }]);
    const run = await stage.run([...editing, "go"]);
    expect([run.code, place.has("a.txt")]).toEqual([3, false]);
    expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("did not answer in time");
  },
);

slowTest("changed arguments are another action, which is prepared and judged again", async () => {
  configure(hook("PreToolUse", `if grep -q first; then ${other("allowed.txt")}; else ${other("locked.txt")}; fi`));
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [write("first.txt"), write("x.txt")] },
    { text: "done" },
  ]);
  const run = await stage.run([...editing, "--deny", "write_file(locked.txt)", "go"]);
  expect(["first.txt", "allowed.txt", "x.txt", "locked.txt"].map((file) => place.has(file))).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect([place.read("allowed.txt"), run.code]).toEqual(["two\n", 3]);
});

slowTest(
  "what hooks say reaches the model behind what was said before, each once; a Stop hook pushes it on",
  async () => {
    configure(
      hook("SessionStart", `grep -o '"source":"[a-z]*"'`) +
        hook("UserPromptSubmit", "echo Mind the gap.") +
        hook("PostToolUse", said({ decision: "block", reason: "Look again." })) +
        hook("Stop", `grep -q '"stop_hook_active":true' || { echo "Say it again." >&2; exit 2; }`),
    );
    place.write("a.txt", "hi\n");
    const read = { name: "read_file", arguments: { path: "a.txt" } };
    const turns = [{ tool_calls: [read] }, { text: "one" }, { text: "two" }];
    const stage = await place.rehearse("anthropic", [...turns, { text: "three" }, { text: "four" }]);
    const run = await stage.run(["go"]);
    expect([run.code, run.stdout.trim()]).toEqual([0, "two"]);
    await stage.run(["--continue", "more"]);
    const last = JSON.stringify(stage.exchanges.at(-1)?.body);
    const notified = ["startup", "resume", "Mind the gap", "Look again", "Say it again"];
    expect(notified.map((words) => last.split(words).length - 1)).toEqual([1, 1, 2, 1, 2]);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  },
);

slowTest(
  "hooks of a workspace count once it is trusted: they run in the sandbox, and their yes opens nothing",
  async () => {
    const out = join(place.folder, "outside.txt");
    const script = `cat >> seen.txt; echo x > ${out}; ${decides({ permissionDecision: "allow" })}`;
    const group = {
      matcher: "Write",
      hooks: [{ type: "command", command: 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh' }],
    };
    place.write(".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [group] } }));
    place.write(".claude/hooks/x.sh", script);
    const stage = await place.rehearse("anthropic", turnsThatWrite("a.txt", "b.txt", "c.txt"));
    expect((await stage.run([...editing, "go"])).stderr).toContain(".claude/settings.json");
    expect(place.has("seen.txt")).toBe(false);
    await place.trust();
    const asked = await stage.run(["go"]);
    expect([asked.code, place.has("seen.txt"), existsSync(out)]).toEqual([3, false, false]);
    await stage.run([...editing, "--continue", "go"]);
    expect(place.read("seen.txt")).toContain('"tool_name":"Write"');
    expect(existsSync(out)).toBe(false);
  },
);

slowTest(
  "killed while a hook runs: nothing of it lives on, it is not run again, and its call is not let through",
  async () => {
    const log = join(place.folder, "runs");
    configure(hook("PreToolUse", `echo $$ > hook.pid; echo run >> ${log}; sleep 600`));
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [write("a.txt")] },
      { text: "done" },
      { text: "more" },
    ]);
    const running = stage.start([...editing, "--output-format", "stream-json", "go"]);
    await running.stdoutMatches(/"hook-started"/);
    await hasRun(log);
    running.kill("SIGKILL");
    await running.ended;
    await gone(place, "hook.pid");
    const run = await stage.run([...editing, "--continue", "more"]);
    expect(run.stderr).toContain("was running when the process died; it is not run again");
    expect([readFileSync(log, "utf8"), place.has("a.txt")]).toEqual(["run\n", false]);
    expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("its answer is not known");
  },
);

/** The hook's own program has begun. */
async function hasRun(log: string): Promise<void> {
  await limited("the hook's first line", (resolve) => {
    const look = setInterval(() => {
      if (!existsSync(log) || readFileSync(log, "utf8") === "") return;
      clearInterval(look);
      resolve();
    }, 20);
  });
}
