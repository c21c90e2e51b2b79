import { sampled, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { onAnyWire } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";
import { resultsOf } from "./stage/read-request.ts";

const place = usePlace();

const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
const command = { name: "run_command", arguments: { argv: ["touch", "touched.txt"], writes: true } };
const json = ["--output-format", "json"];

onAnyWire("over %s", (wire, test, slowTest) => {
  test("nobody is there to ask: the call is denied, the model is informed, the exit code says so", async () => {
    const stage = await place.rehearse(wire, [{ tool_calls: [write] }, { text: "I could not write." }]);
    const run = await stage.run([...json, "write it"]);
    expect(run.code).toBe(3);
    expect(parseResult(run)).toMatchObject({
      outcome: "tool-denied",
      exitCode: 3,
      text: "I could not write.",
      filesChanged: [],
      deniedCalls: [{ tool: "write_file", summary: expect.stringContaining("made.txt") }],
    });
    expect(resultsOf(stage.exchanges[1])).toHaveLength(1);
    expect(place.has("made.txt")).toBe(false);
  });

  test("text: a denied call is named on stderr, with the way to allow it", async () => {
    const stage = await place.rehearse(wire, [{ tool_calls: [write] }, { text: "I could not." }]);
    const run = await stage.run(["write it"]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 3, stdout: "I could not.\n" });
    expect(run.stderr).toMatch(/denied: .*made\.txt/);
    expect(run.stderr).toMatch(/Allow it: capstan run --resume \w+ --permission-mode accept-edits "continue"/);
  });

  slowTest(
    "a change that cannot succeed is refused for what is wrong with it, and no permission is advised; so the second time",
    async () => {
      place.write("note.txt", "hello\n");
      const read = { name: "read_file", arguments: { path: "note.txt" } };
      const edit = { name: "edit_file", arguments: { path: "note.txt", old_string: "not there", new_string: "x" } };
      const turns = [{ tool_calls: [read] }, { tool_calls: [edit] }, { text: "It is not there." }];
      const stage = await place.rehearse(wire, [...turns, ...turns]);
      for (const more of [[], ["--continue"]]) {
        // oxlint-disable-next-line no-await-in-loop -- one turn after the other
        const run = await stage.run([...more, "change it"]);
        expect([run.code, run.stderr]).toEqual([0, expect.stringContaining("old_string does not occur in")]);
        expect(run.stderr).not.toMatch(/denied|Allow it/);
      }
      expect(place.read("note.txt")).toBe("hello\n");
    },
  );

  test("one call of a batch is denied, the others run, and each result is its own call's", async () => {
    place.write("note.txt", "hello\n");
    const read = { name: "read_file", arguments: { path: "note.txt" } };
    const stage = await place.rehearse(wire, [{ tool_calls: [read, command, write] }, { text: "done" }]);
    const run = await stage.run([...json, "--allow", "write_file", "--deny", "run_command(touch *)", "go"]);
    expect(parseResult(run)).toMatchObject({
      outcome: "tool-denied",
      toolCalls: 3,
      deniedCalls: [{ tool: "run_command" }],
      filesChanged: [{ path: "made.txt", kind: "created" }],
    });
    const results = resultsOf(stage.exchanges[1]).map((result) => result.text);
    expect(results).toEqual([
      expect.stringContaining("hello"),
      expect.not.stringContaining("exit"),
      expect.stringContaining("made.txt"),
    ]);
    expect([place.read("made.txt"), place.has("touched.txt")]).toEqual(["made\n", false]);
  });

  /** Which of the two calls took place, under flags. Both change the workspace, and say so. */
  const cases: readonly [
    readonly string[],
    { readonly wrote: boolean; readonly ran: boolean; readonly code: number },
  ][] = [
    [["--allow", "write_file(made.txt)"], { wrote: true, ran: false, code: 3 }],
    [["--allow", "write_file(other.txt)"], { wrote: false, ran: false, code: 3 }],
    [["--allow", "write_file", "--allow", "run_command(touch *)"], { wrote: true, ran: true, code: 0 }],
    [["--allow", "run_command(touch *)"], { wrote: false, ran: true, code: 3 }],
    [["--permission-mode", "accept-edits"], { wrote: true, ran: true, code: 0 }],
    [["--permission-mode", "accept-edits", "--set", "sandbox.auto_run=false"], { wrote: true, ran: false, code: 3 }],
    [["--permission-mode", "accept-edits", "--set", "sandbox.mode=off"], { wrote: true, ran: false, code: 3 }],
    [["--permission-mode", "auto", "--deny", "write_file"], { wrote: false, ran: true, code: 3 }],
    [["--yolo"], { wrote: true, ran: true, code: 0 }],
    [["--yolo", "--deny", "run_command(touch *)"], { wrote: true, ran: false, code: 3 }],
    [["--allow", "write_file", "--deny", "write_file"], { wrote: false, ran: false, code: 3 }],
    [["--deny", "write_file", "--allow", "write_file"], { wrote: false, ran: false, code: 3 }],
    [["--permission-mode", "plan"], { wrote: false, ran: false, code: 3 }],
    [["--permission-mode", "plan", "--yolo"], { wrote: false, ran: false, code: 3 }],
    [["--permission-mode", "plan", "--allow", "write_file"], { wrote: false, ran: false, code: 3 }],
  ];
  test.for(sampled(cases, 2))("%j lets happen: %j", async ([flags, expected]) => {
    const stage = await place.rehearse(wire, [{ tool_calls: [write, command] }, { text: "so be it" }]);
    const run = await stage.run([...flags, "go"]);
    expect({ wrote: place.has("made.txt"), ran: place.has("touched.txt"), code: run.code }).toEqual(expected);
  });

  slowTest("plan mode still reads", async () => {
    place.write("note.txt", "hello\n");
    const read = { name: "read_file", arguments: { path: "note.txt" } };
    const stage = await place.rehearse(wire, [{ tool_calls: [read] }, { text: "a plan" }]);
    expect((await stage.run(["--permission-mode", "plan", "go"])).code).toBe(0);
    expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("hello");
  });

  test("review: changes are worked out and handed over, and nothing changes on disk", async () => {
    place.write("note.txt", "hello\n");
    const turns = [
      { tool_calls: [{ name: "read_file", arguments: { path: "note.txt" } }] },
      {
        tool_calls: [
          write,
          { name: "edit_file", arguments: { path: "note.txt", old_string: "hello", new_string: "good bye" } },
        ],
      },
    ];
    const stage = await place.rehearse(wire, turns);
    const run = await stage.run([...json, "--strategy", "review", "--permission-mode", "accept-edits", "go"]);
    expect(parseResult(run)).toMatchObject({
      outcome: "proposed",
      filesChanged: [],
      proposedChanges: [
        { path: "made.txt", kind: "created" },
        { path: "note.txt", kind: "modified", diff: expect.stringContaining("+good bye") },
      ],
    });
    expect([place.has("made.txt"), place.read("note.txt")]).toEqual([false, "hello\n"]);
  });

  test("a call outside the workspace is denied, even with everything allowed", async () => {
    const outside = `${place.folder}/outside.txt`;
    const calls = [
      { name: "write_file", arguments: { path: outside, content: "x" } },
      { name: "write_file", arguments: { path: "../outside.txt", content: "x" } },
    ];
    const stage = await place.rehearse(wire, [{ tool_calls: calls }, { text: "no" }]);
    await stage.run(["--yolo", "go"]);
    expect(stage.exchanges.map((exchange) => exchange.status)).toEqual([200, 200]);
    expect(place.has("../outside.txt")).toBe(false);
  });
});

test("a project's file cannot allow what the user did not", async () => {
  place.write(".capstan/config.toml", '[permissions]\nallow = ["write_file"]\nmode = "auto"\n');
  const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "no" }]);
  const run = await stage.run(["--trust", "go"]);
  expect(run.code).toBe(3);
  expect(run.stderr).toContain("permissions.allow");
  expect(place.has("made.txt")).toBe(false);
});

slowTest("a project's file can forbid what the user allowed", async () => {
  place.write(".capstan/config.toml", '[permissions]\ndeny = ["write_file"]\n');
  await place.trust();
  const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "no" }]);
  expect((await stage.run(["--yolo", "go"])).code).toBe(3);
  expect(place.has("made.txt")).toBe(false);
});
