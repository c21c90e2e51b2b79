import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { linesOf } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";
import { callCommand, furnish } from "./sandbox-place.ts";

const place = usePlace();
beforeEach(() => furnish(place));

const touch = { name: "run_command", arguments: { argv: ["touch", "made.txt"] } };

/** A search path with what a run needs, and no bubblewrap. */
function pathWithout(): string {
  const folder = join(place.folder, "programs");
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, "node"));
  for (const name of ["touch", "git", "sh"]) {
    symlinkSync(execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(folder, name));
  }
  return folder;
}

/** A bubblewrap that works until there is a file in the workspace. */
function failingBubblewrap(): string {
  const folder = join(place.folder, "programs");
  mkdirSync(folder, { mode: 0o755 });
  const real = execFileSync("/bin/sh", ["-c", "command -v bwrap"], { encoding: "utf8" }).trim();
  const flag = join(place.workspace, "made.txt");
  const script = `#!/bin/sh\n[ -e '${flag}' ] && { echo 'bwrap: No permissions to create a new namespace' >&2; exit 1; }\nexec ${real} "$@"\n`;
  writeFileSync(join(folder, "bwrap"), script, { mode: 0o755 });
  return `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`;
}

describe("without bubblewrap", () => {
  slowTest(
    "a run in which nobody can be asked runs no command, and says why in its badge and to the model",
    async () => {
      const stage = await place.rehearse("anthropic", [{ tool_calls: [touch] }, { text: "no" }]);
      const run = await stage.run(["--output-format", "stream-json", "go"], { env: { PATH: pathWithout() } });
      expect({ code: run.code, made: place.has("made.txt") }).toEqual({ code: 3, made: false });
      expect(linesOf(run, "init")).toMatchObject([
        { isolation: { type: "none", reason: expect.stringContaining("bubblewrap") } },
      ]);
      expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("no sandbox here");
    },
  );

  test("the words that the refusal ends with let exactly this command run, each time they are given", async () => {
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [touch] },
      { text: "no" },
      { tool_calls: [touch, { name: "run_command", arguments: { argv: ["touch", "other.txt"] } }] },
      { text: "one of two" },
      { tool_calls: [touch] },
      { text: "again" },
    ]);
    const env = { PATH: pathWithout() };
    const first = await stage.run(["go"], { env });
    // The whole refusal, and a line to paste.
    expect(first.stderr).toContain("`--allow 'run_command(touch made.txt)'`, or for every command with `--yolo`.");
    expect(first.stderr).toMatch(
      /^Allow it: capstan run --resume \S+ --allow 'run_command\(touch made\.txt\)' "continue"$/m,
    );
    const refused = resultsOf(stage.exchanges[1])[0]?.text ?? "";
    const [, rule = ""] = /`--allow '([^']+)'`/.exec(refused) ?? [];
    expect(rule).toBe("run_command(touch made.txt)");
    await stage.run(["--continue", "--allow", rule, "go"], { env });
    expect([place.has("made.txt"), place.has("other.txt")]).toEqual([true, false]);
    const code = await stage.run(["--continue", "--allow", rule, "go"], { env });
    expect(code.code).toBe(0);
  });

  slowTest("so does --yolo, for every command, and the badge stays", async () => {
    const stage = await place.rehearse("anthropic", [{ tool_calls: [touch] }, { text: "yes" }]);
    const run = await stage.run(["--yolo", "go"], { env: { PATH: pathWithout() } });
    expect({ code: run.code, made: place.has("made.txt") }).toEqual({ code: 0, made: true });
    expect(run.stderr).toContain("NO SANDBOX");
  });

  slowTest("the user's own configuration may say that it runs all the same, and the badge stays", async () => {
    const stage = await place.rehearse("anthropic", [{ tool_calls: [touch] }, { text: "yes" }]);
    const flags = ["--set", "sandbox.unavailable=run_without_isolation", "--yolo"];
    const run = await stage.run([...flags, "go"], { env: { PATH: pathWithout() } });
    expect({ code: run.code, made: place.has("made.txt") }).toEqual({ code: 0, made: true });
    expect(run.stderr).toContain("NO SANDBOX");
  });

  test("a project's file cannot say so", async () => {
    place.write(".capstan/config.toml", '[sandbox]\nunavailable = "run_without_isolation"\nmode = "off"\n');
    const stage = await place.rehearse("anthropic", [{ tool_calls: [touch] }, { text: "no" }]);
    await stage.run(["go"], { env: { PATH: pathWithout() } });
    expect(place.has("made.txt")).toBe(false);
  });

  slowTest("who requires it gets no run at all; doctor says what is missing", async () => {
    const env = { PATH: pathWithout() };
    const required = await callCommandCode(["--set", "sandbox.mode=required"], env);
    const doctor = await place.run(["doctor"], { env });
    expect({ code: required.code, why: required.stderr.includes("sandbox is required") }).toEqual({
      code: 1,
      why: true,
    });
    expect(doctor.stdout).toMatch(/✗ sandbox: none: bubblewrap[^\n]*\n\s+Install bubblewrap/);
  });
});

async function callCommandCode(
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): ReturnType<typeof place.run> {
  return await place.run(["tools", "call", "run_command", '{"argv":["id"]}', ...flags], { env });
}

slowTest("a sandbox that fails in the middle of a session is a failed call, and nothing runs outside", async () => {
  const env = { PATH: failingBubblewrap() };
  const again = { name: "run_command", arguments: { command: "echo ran >> log.txt" } };
  const stage = await place.rehearse("anthropic", [{ tool_calls: [touch] }, { tool_calls: [again] }, { text: "no" }]);
  expect((await stage.run(["--yolo", "go"], { env })).code).toBe(0);
  expect(resultsOf(stage.exchanges[2])[0]?.text).toContain("The sandbox could not be made: bwrap:");
  expect([place.has("made.txt"), place.has("log.txt")]).toEqual([true, false]);
});

slowTest("what will run later is reported when the turn ends, and to the model", async () => {
  const script = {
    name: "run_command",
    arguments: { command: "mkdir -p .github/workflows && echo 'on: push' > .github/workflows/ci.yml" },
  };
  const stage = await place.rehearse("anthropic", [{ tool_calls: [script] }, { text: "made" }]);
  const run = await stage.run(["--permission-mode", "accept-edits", "go"]);
  expect(run.stderr).toMatch(/will run or be obeyed later: .*ci\.yml/);
  expect(run.stderr).toMatch(/^sandbox: enforced\n/);
  expect(resultsOf(stage.exchanges[1])[0]?.text).toMatch(/Will run or be obeyed later: .*ci\.yml/);
  expect((await callCommand(place, { argv: ["true"] })).details).not.toHaveProperty("runsLater");
});
