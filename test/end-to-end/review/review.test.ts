import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";
import { stateOf } from "./workspace-state.ts";

const place = usePlace();
const review = ["--strategy", "review", "--permission-mode", "accept-edits"];

const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
const shell = (command: string): object => ({ name: "run_command", arguments: { command } });

function fill(): void {
  place.write("note.txt", "hello\n");
  place.write("old.txt", "old\n");
  place.write("folder/inner.txt", "inner\n");
}

const command =
  "cat made.txt && pwd && echo more >> note.txt && mv old.txt new.txt && ln -s note.txt link && rm folder/inner.txt && chmod +x new.txt";
const changed = {
  link: "→ note.txt",
  "made.txt": "- made\n",
  "new.txt": "x old\n",
  "note.txt": "- hello\nmore\n",
};

test("under review commands work on a private copy that has what was proposed before; applying makes all of it", async () => {
  fill();
  const stage = await place.rehearse("anthropic", [{ tool_calls: [write, shell(command)] }]);
  const before = stateOf(place.workspace);
  const run = await stage.run([...review, "--output-format", "json", "go"]);
  expect([run.code, parseResult(run)]).toMatchObject([0, { outcome: "proposed", filesChanged: [] }]);
  expect(stateOf(place.workspace)).toEqual(before);
  const applied = await place.run(["proposals", "apply"]);
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("applied")]);
  expect(stateOf(place.workspace)).toEqual(changed);
});

slowTest(
  "what is proposed is shown with its differences, applied once, reported to the model, and can be undone",
  async () => {
    fill();
    const stage = await place.rehearse("anthropic", [{ tool_calls: [write, shell(command)] }, { text: "and now?" }]);
    const before = stateOf(place.workspace);
    const run = await stage.run([...review, "go"]);
    expect(run.stderr).toMatch(/proposed: changes of 6 files; none of them is made\n.*capstan proposals show/);
    expect(readdirSync(`${place.data}-copies`)).toEqual([]);
    const listed = parseLines(await place.run(["proposals", "show", "--json"]));
    expect(listed.map(({ proposal, path, kind }) => [proposal, path, kind])).toEqual([
      ["p1", join(place.workspace, "made.txt"), "created"],
      ...[
        ["folder/inner.txt", "deleted"],
        ["link", "created"],
        ["new.txt", "created"],
        ["note.txt", "modified"],
        ["old.txt", "deleted"],
      ].map(([path = "", kind]) => ["p2", join(place.workspace, path), kind]),
    ]);
    expect(listed.find(({ path }) => String(path).endsWith("note.txt"))?.["diff"]).toContain("+more");
    expect((await place.run(["proposals", "show", "--file", "note.txt"])).stdout).toMatch(
      /^p2 {2}modified {2}note\.txt/,
    );
    expect((await place.run(["proposals", "apply"])).code).toBe(0);
    const again = await place.run(["proposals", "apply"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("proposals.nothing")]);
    expect((await stage.run(["--continue", "continue"])).code).toBe(0);
    const [, said] = resultsOf(stage.exchanges[1]);
    expect(said?.text).toMatch(/\nmade\n\/.*work\n[^]*private copy/);
    expect(JSON.stringify(stage.exchanges[1]?.body)).toContain("The user applied these proposed changes");
    // The last turn, then the one that proposed.
    expect((await place.run(["undo"])).code).toBe(0);
    expect((await place.run(["undo"])).code).toBe(0);
    expect(stateOf(place.workspace)).toEqual(before);
  },
);

slowTest(
  "what somebody changed since is left alone and stays proposed; the rest is applied, and refusing leaves no trace",
  async () => {
    fill();
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [shell("echo a >> note.txt; echo b >> old.txt; rm folder/inner.txt; echo new > made.txt")] },
    ]);
    await stage.run([...review, "go"]);
    place.write("note.txt", "mine\n");
    place.write("made.txt", "mine, too\n");
    const some = await place.run(["proposals", "apply", "--file", "note.txt", "made.txt", "old.txt"]);
    expect([some.code, some.stdout]).toEqual([1, expect.stringContaining("left alone")]);
    const then = { "folder/inner.txt": "- inner\n", "made.txt": "- mine, too\n", "note.txt": "- mine\n" };
    expect(stateOf(place.workspace)).toEqual({ ...then, "old.txt": "- old\nb\n" });
    const rest = parseLines(await place.run(["proposals", "list", "--json"])).map(({ path }) => path);
    expect(rest).toEqual(["folder/inner.txt", "made.txt", "note.txt"].map((name) => join(place.workspace, name)));
    expect((await place.run(["proposals", "refuse"])).code).toBe(0);
    expect((await place.run(["proposals", "list"])).stdout).toBe("");
    expect(stateOf(place.workspace)).toEqual({ ...then, "old.txt": "- old\nb\n" });
  },
);

slowTest(
  "what would reach beyond the copy is refused: other folders, no sandbox, the background, the repository",
  async () => {
    const calls = [
      { name: "run_command", arguments: { argv: ["true"], outside_sandbox: true, justification: "I want to" } },
      { name: "run_command", arguments: { argv: ["true"], writable: [".."] } },
      { name: "run_command", arguments: { argv: ["true"], background: true } },
      { name: "git_commit", arguments: { type: "fix", message: "all" } },
    ];
    const stage = await place.rehearse("anthropic", [{ tool_calls: calls }, { text: "So be it." }]);
    const run = await stage.run([...review, "--yolo", "--output-format", "json", "go"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", proposedChanges: [] });
    expect(resultsOf(stage.exchanges[1]).map(({ text }) => /[Uu]nder review/.test(text))).toEqual(
      calls.map(() => true),
    );
  },
);

slowTest("a command that was killed with Capstan left nothing, and runs again", async () => {
  fill();
  const waiting = "echo more >> note.txt; test -e again.txt || { echo started; exec sleep 600; }";
  const stage = await place.rehearse("anthropic", [{ tool_calls: [shell(waiting)] }, { text: "ok" }]);
  const running = stage.start([...review, "--output-format", "stream-json", "go"]);
  await running.stdoutMatches(/"tool-output-delta"/);
  running.kill("SIGKILL");
  await running.ended;
  place.write("again.txt", "now it ends\n");
  const before = stateOf(place.workspace);
  const run = await stage.run([...review, "--output-format", "json", "--continue", "continue"]);
  expect([run.code, stateOf(place.workspace)]).toEqual([0, before]);
  expect((await place.run(["proposals", "apply"])).code).toBe(0);
  expect(stateOf(place.workspace)).toEqual({ ...before, "note.txt": "- hello\nmore\n" });
});

slowTest("killed at any moment of applying, it is applied once, whoever opens the session next", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `many/${at}.txt`);
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [shell("mkdir many; for i in $(seq 0 299); do echo $i > many/$i.txt; done; rm old.txt")] },
  ]);
  fill();
  await stage.run([...review, "go"]);
  let kills = 0;
  for (const delayMs of [300, 350, 400, 450, 500, 550, 600, 650, 700]) {
    const applying = place.start(["proposals", "apply"]);
    const isOver = await Promise.race([applying.ended.then(() => true), setTimeout(delayMs, false)]);
    if (isOver) break;
    applying.kill("SIGKILL");
    await applying.ended;
    kills += 1;
  }
  await place.run(["proposals", "apply"]);
  expect(kills).toBeGreaterThan(0);
  expect(stateOf(place.workspace)).toEqual({
    "folder/inner.txt": "- inner\n",
    "note.txt": "- hello\n",
    ...Object.fromEntries(names.map((name, at) => [name, `- ${at}\n`])),
  });
  expect((await place.run(["proposals", "list"])).stdout).toBe("");
  expect(
    (await place.run(["doctor", String(linesOfSessions(await place.run(["sessions", "list", "--json"])))])).code,
  ).toBe(0);
});

function linesOfSessions(run: Parameters<typeof parseLines>[0]): unknown {
  return parseLines(run)[0]?.["id"];
}
