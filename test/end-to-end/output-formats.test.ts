import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { onAnyWire } from "./stage/over-wires.ts";
import { models, usePlace } from "./stage/place.ts";
import { linesOf, parseLines, parseResult } from "./stage/read-output.ts";
import { startOnTerminal } from "./stage/terminal.ts";

const place = usePlace();

const readThenAnswer = [
  { text: "I will look.", tool_calls: [{ name: "read_file", arguments: { path: "note.txt" } }] },
  { text: "It says: hello." },
];
/** What a model might send to take over a terminal: colours, a title, a hyperlink, a cleared screen, turned text. */
const hostile = "\u001B[31mred\u001B[0m \u001B]0;title\u0007\u009B2Jok \u001B]8;;http://x\u001B\\link \u202Etxt\u0008.";
const harmless = "red ok link txt.";

onAnyWire("over %s", (wire, test, slowTest) => {
  test("text: the answer alone on stdout, what happened on stderr, without colours in a pipe", async () => {
    place.write("note.txt", "hello\n");
    const run = await (await place.rehearse(wire, readThenAnswer)).run(["what does note.txt say?"]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: "It says: hello.\n" });
    expect(run.stderr).toContain("I will look.");
    expect(run.stderr).toContain("note.txt");
    expect(run.stdout + run.stderr).not.toContain("\u001B");
  });

  test("json: exactly one object on stdout", async () => {
    place.write("note.txt", "hello\n");
    const stage = await place.rehearse(wire, readThenAnswer);
    const run = await stage.run(["--output-format", "json", "what does note.txt say?"]);
    expect(run.lines).toHaveLength(1);
    expect(parseResult(run)).toMatchObject({
      outcome: "done",
      exitCode: 0,
      text: "It says: hello.",
      modelCalls: 2,
      toolCalls: 1,
      filesChanged: [],
      deniedCalls: [],
    });
  });

  test("stream-json: init first, result last, every line an object, sequence numbers rise without a hole", async () => {
    place.write("note.txt", "hello\n");
    const stage = await place.rehearse(wire, readThenAnswer);
    const run = await stage.run(["--output-format", "stream-json", "what does note.txt say?"]);
    const lines = parseLines(run);
    expect([lines[0]?.["type"], lines.at(-1)?.["type"]]).toEqual(["init", "result"]);
    expect(lines.filter((line) => line["type"] === "init" || line["type"] === "result")).toHaveLength(2);
    const numbers = lines.slice(1, -1).map((line) => Number(line["seq"]));
    const [first = 0] = numbers;
    expect(numbers).toEqual(numbers.map((_, index) => first + index));
    const reported = linesOf(run, "text-delta").map((line) => String(line["delta"]));
    expect(reported.join("")).toBe("I will look.It says: hello.");
    expect(run.stdout.endsWith("\n")).toBe(true);
    const facts = { provider: models[wire].split("/")[0], projectRoot: place.workspace, trusted: expect.any(Boolean) };
    expect(lines[0]).toMatchObject({ ...facts, resumed: false, maxOutputTokens: 16_384 });
    expect(lines[0]).toMatchObject({
      context: { usedTokens: null, windowTokens: 128_000, summaries: 0 },
      warnings: [],
    });
    const config = join(place.workspace, ".capstan", "config.toml");
    expect(lines[0]?.["policyFiles"]).toContainEqual({ path: config, state: "missing" });
    place.write(".capstan/config.toml", "[permissions]\ndeny = []\n");
    const again = parseLines(await stage.run(["--output-format", "stream-json", "-c", "and now?"]))[0];
    expect(again).toMatchObject({ resumed: true, context: { usedTokens: expect.any(Number) }, trusted: false });
    expect(again?.["policyFiles"]).toContainEqual({ path: config, state: "found" });
    expect(again?.["warnings"]).toEqual([expect.stringContaining("config.toml")]);
  });

  slowTest("a line of stream-json ends only where it ends, whatever the model says", async () => {
    const text = "line\u2028separator\u2029paragraph\u0085next\r\nhalf \uD83C!";
    const run = await (await place.rehearse(wire, [{ text }])).run(["--output-format", "stream-json", "go"]);
    expect(run.code).toBe(0);
    expect(run.stdout).not.toMatch(/[\u2028\u2029]/);
    expect(run.stdout.isWellFormed()).toBe(true);
    expect(parseResult(run)["text"]).toMatch(/^line\u2028separator\u2029paragraph\u0085next\r\nhalf \uFFFD+!$/);
  });

  test("terminal escapes of the model and of files never reach a screen", async () => {
    place.write("note.txt", `${hostile}\n`);
    const turns = [
      { text: hostile, tool_calls: [{ name: "read_file", arguments: { path: "note.txt" } }] },
      { text: "and", tool_calls: [{ name: "run_command", arguments: { argv: ["cat", `note.txt`, hostile] } }] },
      { text: hostile },
    ];
    const run = await (await place.rehearse(wire, turns)).run(["--allow", "run_command(cat *)", "go"]);
    expect(run.stdout).toBe(`${harmless}\n`);
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(run.stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
  });

  slowTest("names of files cannot do anything to a screen either", async () => {
    const name = "evil\u001B]0;title\u0007\u202E\u009B2J.txt";
    place.write(name, `${hostile}\n`);
    const calls = [
      { name: "glob", arguments: { pattern: "*" } },
      { name: "read_file", arguments: { path: name } },
      { name: "edit_file", arguments: { path: name, old_string: "red", new_string: "blue" } },
      { name: "write_file", arguments: { path: `new-${name}`, content: hostile } },
    ];
    const stage = await place.rehearse(wire, [{ tool_calls: calls }, { text: "done" }]);
    const run = await stage.run(["--output-format", "text", "--yolo", "go"]);
    expect(run.stdout).toBe("done\n");
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(run.stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
    const id = (await place.run(["sessions", "list"])).stdout.split(/ {2,}/)[1] ?? "";
    const shown = await place.run(["sessions", "show", id]);
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(shown.stdout).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
  });
});

describe("colours", () => {
  slowTest("FORCE_COLOR brings them into a pipe", async () => {
    expect(await coloured({ FORCE_COLOR: "1" })).toBe(true);
  });

  slowTest("NO_COLOR wins over FORCE_COLOR", async () => {
    expect(await coloured({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
  });
});

async function coloured(env: Readonly<Record<string, string>>): Promise<boolean> {
  const run = await (await place.rehearse("anthropic", [{ text: "hi" }])).run(["go"], { env });
  expect(run.stdout).toBe("hi\n");
  return run.stderr.includes("\u001B[");
}

function lastMessage(): string {
  return place.read("last.txt");
}

describe("-o FILE", () => {
  test("the last answer is in the file as well, and a second run replaces it", async () => {
    place.write("note.txt", "hello\n");
    const stage = await place.rehearse("anthropic", [...readThenAnswer, { text: "Second.\n\nIt is." }]);
    const first = await stage.run(["-o", "last.txt", "what does note.txt say?"]);
    expect([first.code, first.stdout, lastMessage()]).toEqual([0, "It says: hello.\n", "It says: hello."]);
    const json = ["--output-format", "json", "--output-last-message", "last.txt"];
    const second = await stage.run([...json, "-c", "and now?"]);
    expect([parseResult(second)["text"], lastMessage()]).toEqual(["Second.\n\nIt is.", "Second.\n\nIt is."]);
  });

  slowTest("where there is no answer the file is empty, and holds nothing of a run before", async () => {
    place.write("last.txt", "an answer of yesterday");
    const stage = await place.rehearse("anthropic", [
      { text: "never", fault: { type: "http", status: 401, times: 9 } },
    ]);
    const failed = await stage.run(["-o", "last.txt", "hello"]);
    expect([failed.code === 0, lastMessage()]).toEqual([false, ""]);
  });

  slowTest("a file that cannot be written is a usage error before anything is asked", async () => {
    const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
    for (const path of ["gone/last.txt", "."]) {
      const run = await stage.run(["-o", path, "hello"]);
      expect([run.code, stage.exchanges.length]).toEqual([2, 0]);
      expect(run.stderr).toMatch(/the last answer cannot be written to .* Name a file in a folder/);
      expect(run.stderr).not.toMatch(/\.[0-9a-f]{8}\b/);
    }
  });
});

test("an answer that could not be written is no success, and it is said where it is kept", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "The answer." }]);
  const script = '"$@" > /dev/full; echo "ended $?"';
  const terminal = startOnTerminal(place, ["run", "-m", models.anthropic, "go"], { env: stage.env, script });
  await terminal.shows(/ended 1/);
  expect(terminal.text()).toContain("standard output could not be written");
});
