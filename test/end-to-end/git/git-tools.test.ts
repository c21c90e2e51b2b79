import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

beforeEach(() => {
  writeFileSync(join(place.folder, "home", ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  execFileSync("git", ["init", "--quiet", "-b", "main"], { cwd: place.workspace });
  place.write("one.txt", "one\n");
  const hook = join(place.workspace, ".git", "hooks", "post-commit");
  writeFileSync(hook, `#!/bin/sh\ntouch '${place.workspace}/hooked'\n`);
  chmodSync(hook, 0o755);
});

const find = { name: "search_tools", arguments: { query: "select:git_add,git_commit,git_status,git_log" } };
const status = { name: "git_status", arguments: {} };
const add = { name: "git_add", arguments: { all: true } };
const commit = { name: "git_commit", arguments: { type: "feat", message: "first" } };

function log(): string {
  return execFileSync("git", ["log", "--all", "--format=%an %s"], { cwd: place.workspace, encoding: "utf8" });
}

overWires("over %s, git tools", (wire, test, slowTest) => {
  test("what reads is not asked about, what changes is; in accept-edits it commits as the user, and no hook runs", async () => {
    const changes = [{ tool_calls: [find] }, { tool_calls: [status, add, commit] }, { text: "Said." }];
    const stage = await place.rehearse(wire, [...changes, ...changes]);
    const denied = await stage.run(["commit it"]);
    expect([denied.code, denied.stderr]).toEqual([3, expect.stringContaining("git add --all")]);
    expect(resultsOf(stage.exchanges[2])[0]?.text).toContain("?? one.txt");
    expect(log()).toBe("");
    const made = await stage.run(["--permission-mode", "accept-edits", "commit it"]);
    expect([made.code, made.stdout]).toEqual([0, "Said.\n"]);
    expect(log()).toBe("Ada feat: first\n");
    expect(place.has("hooked")).toBe(false);
    // Plain git runs it.
    const identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
    execFileSync("git", [...identity, "commit", "--quiet", "--allow-empty", "-m", "plain"], { cwd: place.workspace });
    expect(place.has("hooked")).toBe(true);
  });

  slowTest(
    "a rule about commands holds for the tool, and one that denies is stronger than one that allows",
    async () => {
      const turns = [{ tool_calls: [find] }, { tool_calls: [add] }, { text: "Said." }];
      const stage = await place.rehearse(wire, [...turns, ...turns]);
      const allow = ["--allow", "run_command(git add:*)"];
      expect((await stage.run([...allow, "go"])).code).toBe(0);
      expect((await stage.run([...allow, "--deny", "git_add(git add:*)", "go"])).code).toBe(3);
      expect(resultsOf(stage.exchanges[5])[0]?.text).toMatch(/denied/i);
    },
  );

  slowTest("killed while git runs: the next process does not run it again, and says that nobody knows", async () => {
    // Git opens the attributes of a folder, and waits there.
    place.write("sub/a.txt", "a\n");
    const attributes = join(place.workspace, "sub", ".gitattributes");
    execFileSync("mkfifo", [attributes]);
    const stalled = { name: "git_add", arguments: { paths: ["sub/a.txt"] } };
    const stage = await place.rehearse(wire, [{ tool_calls: [find] }, { tool_calls: [stalled] }, { text: "here" }]);
    const running = stage.start(["--output-format", "stream-json", "--yolo", "go"]);
    const reached = await open(attributes, "w");
    running.kill("SIGKILL");
    await running.ended;
    await reached.close();
    const next = await stage.run(["--output-format", "json", "--yolo", "--continue", "continue"]);
    expect([next.code, parseResult(next)["outcome"]]).toEqual([6, "outcome-unknown"]);
    expect(stage.exchanges).toHaveLength(2);
  });
});
