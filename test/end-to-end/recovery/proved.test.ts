import { inTurn, sampled, slowTest } from "@capstan/testkit";
import { mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limited, usePlace, wires } from "../stage/place.ts";
import { linesOf, parseLines, parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

const streamJson = ["--output-format", "stream-json"];
const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} hello`);
const text = `${lines.join("\n")}\n`;
const changed = text.replaceAll("hello", "hello, hello");

const patch = `LP1\nF note.txt\nR\nline 7 hello\n.\nline 7 hello, hello\n.\nF made.txt\nT\nmade\n.\nEND\n`;

/** What each call leaves when it happened exactly once. */
const calls = [
  ["write_file", { path: "new/file.txt", content: text }, { "new/file.txt": text }],
  [
    "edit_file",
    { path: "note.txt", old_string: "hello", new_string: "hello, hello", replace_all: true },
    { "note.txt": changed },
  ],
  ["apply_patch", { patch }, { "note.txt": text.replace("line 7 hello", "line 7 hello, hello"), "made.txt": "made" }],
] as const;

describe.each(sampled(calls, 1))("killed while %s is under way", (name, args, files) => {
  test.each(inTurn(wires, name))("it has happened exactly once when the session continues over %s", async (wire) => {
    place.write("note.txt", text);
    const read = { name: "read_file", arguments: { path: "note.txt" } };
    const turns = [{ tool_calls: [read] }, { tool_calls: [{ name, arguments: args }] }, { text: "here" }];
    const stage = await place.rehearse(wire, [...turns, { text: "there" }]);
    const running = stage.start([...streamJson, "--yolo", "--session-id", "killed", "go"]);
    await running.stdoutMatches(/(?:"type":"tool-started"[\s\S]*){2}/);
    running.kill("SIGKILL");
    await running.ended;
    const run = await stage.run([...streamJson, "--yolo", "--resume", "killed", "continue"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", exitCode: 0 });
    const found = Object.keys(files).map((path) => [path, place.read(path)]);
    expect(Object.fromEntries(found)).toEqual(files);
    const [init, ...events] = parseLines(run).slice(0, -1);
    const first = Number(init?.["seq"]) + 1;
    expect(events.map((event) => event["seq"])).toEqual(events.map((_event, at) => first + at));
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  });
});

test("a command that had ended when Capstan was killed is not in doubt: its exit code is reported", async () => {
  const command = "echo ran >> effects.log; for n in $(seq 2000); do echo $n > made.$n; done; exit 7";
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "run_command", arguments: { command } }] },
    { text: "here" },
    { text: "there" },
  ]);
  const noted = endNoted(join(place.data, "runs"));
  const running = stage.start([...streamJson, "--yolo", "--session-id", "killed", "go"]);
  // Between the end and its record the 2,000 files are looked at and kept.
  await noted;
  running.kill("SIGKILL");
  await running.ended;
  const run = await stage.run([...streamJson, "--yolo", "--resume", "killed", "continue"]);
  expect(linesOf(run, "tool-probed")).toMatchObject([{ finding: { type: "ended" } }]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", exitCode: 0 });
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("Exit code: 7");
  expect(place.read("effects.log")).toBe("ran\n");
});

slowTest("a command that was running is ended and run again with --on-unknown rerun, and never otherwise", async () => {
  const command = "echo ran >> effects.log; echo out; if [ ! -e again ]; then exec sleep 600; fi";
  const stage = await place.rehearse("google", [
    { tool_calls: [{ name: "run_command", arguments: { command } }] },
    { text: "here" },
    { text: "there" },
  ]);
  const running = stage.start([...streamJson, "--yolo", "--session-id", "killed", "go"]);
  await running.stdoutMatches(/"tool-output-delta"/);
  running.kill("SIGKILL");
  await running.ended;
  place.write("again", "");
  const run = await stage.run([...streamJson, "--yolo", "--resume", "killed", "--on-unknown", "rerun", "continue"]);
  expect(linesOf(run, "tool-restarted")).toMatchObject([{ reason: "chosen" }]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "there" });
  expect(place.read("effects.log")).toBe("ran\nran\n");
});

/** Resolves when the end of a command is noted in this folder. */
async function endNoted(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const watcher = watch(folder);
  await limited("the end of a command", (resolve) => {
    watcher.on("change", () => {
      if (readdirSync(folder).some((name) => readFileSync(join(folder, name), "utf8").includes('"exited"'))) resolve();
    });
  });
  watcher.close();
}
