import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";
import { stateOf } from "./workspace-state.ts";

const place = usePlace();
const find = { name: "search_tools", arguments: { query: "select:propose_changes" } };
const reads = ["a.txt", "b.txt"].map((path) => ({ name: "read_file", arguments: { path } }));

function set(mode: string, operations: readonly object[]): object {
  return { name: "propose_changes", arguments: { description: "tidy up", operations, mode } };
}

const edit = (path: string, old: string, next: string): object => ({
  operation: "edit",
  path,
  edits: [{ old_string: old, new_string: next }],
});
const operations = [
  edit("a.txt", "one", "two"),
  { operation: "write", path: "new/c.txt", content: "c\n" },
  { operation: "delete", path: "b.txt" },
];
const all = { "a.txt": "- two\n", "new/c.txt": "- c\n" };

function fill(): void {
  place.write("a.txt", "one\n");
  place.write("b.txt", "b\n");
}

test("a change set is one proposal that nobody has to allow; nothing is written until it is applied", async () => {
  fill();
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [find, ...reads] },
    { tool_calls: [set("atomic", operations)] },
  ]);
  const before = stateOf(place.workspace);
  const run = await stage.run(["--output-format", "json", "go"]);
  expect([run.code, parseResult(run)]).toMatchObject([0, { outcome: "proposed", deniedCalls: [] }]);
  expect(stateOf(place.workspace)).toEqual(before);
  expect((await place.run(["proposals", "apply"])).code).toBe(0);
  expect(stateOf(place.workspace)).toEqual(all);
});

slowTest("of an atomic set nothing is applied where one file has changed; each file can still be chosen", async () => {
  fill();
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [find, ...reads] },
    { tool_calls: [set("atomic", operations)] },
  ]);
  await stage.run(["go"]);
  place.write("b.txt", "mine\n");
  const mine = stateOf(place.workspace);
  const applied = await place.run(["proposals", "apply"]);
  expect([applied.code, applied.stdout]).toEqual([1, expect.stringContaining("another file of the same change")]);
  expect(stateOf(place.workspace)).toEqual(mine);
  expect((await place.run(["proposals", "apply", "--file", "a.txt", "new/c.txt"])).code).toBe(0);
  expect(stateOf(place.workspace)).toEqual({ ...all, "b.txt": "- mine\n" });
  const rest = parseLines(await place.run(["proposals", "list", "--json"]));
  expect(rest.map(({ path }) => path)).toEqual([join(place.workspace, "b.txt")]);
});

slowTest("what does not fit refuses an atomic set, and is left out of an incremental one", async () => {
  fill();
  const wrong = [...operations.slice(0, 2), edit("b.txt", "not there", "x")];
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [find, ...reads] },
    { tool_calls: [set("atomic", wrong)] },
    { tool_calls: [{ ...set("incremental", wrong), name: "propose_file_changes" }] },
  ]);
  const run = await stage.run(["--output-format", "json", "go"]);
  expect(resultsOf(stage.exchanges[2])[0]?.text).toContain("b.txt: old_string does not occur");
  expect(parseResult(run)).toMatchObject({ proposedChanges: [{ path: "a.txt" }, { path: "new/c.txt" }] });
  expect((await place.run(["proposals", "apply"])).code).toBe(0);
  expect(stateOf(place.workspace)).toEqual({ ...all, "b.txt": "- b\n" });
});

slowTest("a rule denies a set by any of its files; protected files and files named twice are refused", async () => {
  fill();
  const secret = { operation: "write", path: ".env", content: "KEY=1\n" };
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [find, ...reads] },
    {
      tool_calls: [
        set("atomic", operations),
        set("incremental", [...operations, secret]),
        set("atomic", [edit("a.txt", "one", "two"), { operation: "delete", path: "./a.txt" }]),
      ],
    },
    { text: "So be it." },
  ]);
  await stage.run(["--deny", "Write(new/**)", "--yolo", "go"]);
  const said = resultsOf(stage.exchanges[2]).map(({ text }) => text);
  expect(said).toEqual([
    expect.stringMatching(/[Dd]enied/),
    expect.stringContaining(".env"),
    expect.stringContaining("Name each file once"),
  ]);
  const nothing = await place.run(["proposals"]);
  expect([nothing.code, nothing.stdout, nothing.stderr]).toEqual([0, "", "This session proposes nothing.\n"]);
  const other = await place.run(["proposals", "show", "--file", "a.txt"]);
  expect([other.code, other.stderr]).toEqual([1, "Nothing of that is proposed.\n"]);
});
