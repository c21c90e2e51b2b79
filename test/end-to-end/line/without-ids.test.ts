import { slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { asking, count, json, useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal } from "../stage/terminal.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import { lastUserText } from "../stage/read-request.ts";

const inbox = useInbox();
const { place } = inbox;

const write = { name: "write_file", arguments: { path: "note.txt", content: "written\n" } };
const free = ["--permission-mode", "accept-edits"];

test("answer and resume take what waits here, the first time and the second", async () => {
  const stage = await inbox.rehearse([
    { tool_calls: [count] },
    { text: "once" },
    { tool_calls: [count] },
    { text: "twice" },
  ]);
  await inbox.park(stage);
  expect(await place.run(["answer", "--approve"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Answered"),
  });
  expect(parseResult(await place.run(["resume", ...json, ...asking], { env: stage.env }))).toMatchObject({
    text: "once",
  });
  await inbox.park(stage, "--continue");
  expect((await place.run(["answer", "--deny"])).code).toBe(0);
  expect(parseResult(await place.run(["resume", ...json, ...asking], { env: stage.env }))).toMatchObject({
    text: "twice",
  });
  expect(inbox.runs).toBe(1);
  expect(await place.run(["answer", "--approve"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("nothing waits for an answer"),
  });
});

slowTest("undo and redo take the latest session here, and another one by its name", async () => {
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [write] },
    { text: "written" },
    { text: "only words" },
    { text: "elsewhere" },
  ]);
  await stage.run([...free, "write it"]);
  place.write("other/x.txt", "x");
  await stage.run(["-C", "other", "elsewhere"]);
  const undone = await place.run(["undo"]);
  expect([undone.code, undone.stderr + undone.stdout]).toEqual([0, expect.stringContaining("back to the beginning (")]);
  expect((await place.run(["sessions", "show", "write it"])).stdout).toContain("back to the beginning");
  expect(place.has("note.txt")).toBe(false);
  expect((await place.run(["redo"])).code).toBe(0);
  expect(place.read("note.txt")).toBe("written\n");
  await stage.run(["say something"]);
  expect((await place.run(["undo"])).code).toBe(0);
  expect(place.has("note.txt")).toBe(true);
  expect((await place.run(["undo", "write it"])).code).toBe(0);
  expect(place.has("note.txt")).toBe(false);
});

slowTest(
  "where several questions wait, their ids differ in the first characters, and each beginning is accepted",
  async () => {
    const stage = await inbox.rehearse([
      { tool_calls: ["a", "b", "c"].map((word) => ({ ...count, arguments: { argv: ["./count.sh", word] } })) },
      { text: "counted" },
    ]);
    await inbox.park(stage);
    const run = await place.run(["answer", "--approve"]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("3 questions wait here: 1-") });
    expect(run.stderr).toContain("Try: capstan interactions list");
    const ids = await inbox.pending();
    expect(new Set(ids.map((id) => id.slice(0, 2))).size).toBe(3);
    for (const id of ids) expect((await place.run(["answer", id.slice(0, 2), "--approve"])).code).toBe(0);
    expect((await place.run(["resume", ...asking], { env: stage.env })).stdout).toBe("counted\n");
    expect(inbox.runs).toBe(3);
  },
);

slowTest("a beginning or a name that fits several sessions lists them", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  await stage.run(["--session-id", "same-1", "the first"]);
  await stage.run(["--session-id", "same-2", "the second"]);
  for (const args of [
    ["undo", "same"],
    ["sessions", "show", "same"],
    ["interactions", "list", "--session", "same"],
    ["interactions", "answer", "--deny", "--batch", "same"],
    ["audit", "verify", "same"],
    ["doctor", "same"],
  ]) {
    const run = await place.run(args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain('2 sessions fit "same": same-2 (the second), same-1 (the first)');
  }
});

slowTest(
  "words behind these commands that mean no session are a prompt, and the line says how to send it; a single one is an id",
  async () => {
    const stage = await place.rehearse("anthropic", [{ text: "never" }]);
    const runs = [
      [["resume", "the", "work"], "Try: capstan run 'resume the work'"],
      [["undo", "the", "last", "change"], "capstan run 'undo the last change'"],
      [["answer", "my", "question"], "Try: capstan run 'answer my question'"],
      [["answer", "k3x"], "Try: capstan interactions list"],
    ] as const;
    for (const [args, remedy] of runs) {
      const run = await place.run(args, { env: stage.env });
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(remedy) });
    }
    expect(stage.exchanges).toEqual([]);
  },
);

describe("at a terminal", () => {
  slowTest("of several sessions here the user picks one by its number", async () => {
    const stage = await place.rehearse("anthropic", [
      { text: "one" },
      { text: "two" },
      { text: "three" },
      { text: "4" },
    ]);
    await stage.run(["to alpha"]);
    await stage.run(["to beta"]);
    for (const [typed, words] of [
      ["2\r", "to alpha"],
      ["\r", "to alpha"],
    ] as const) {
      const terminal = startOnTerminal(place, ["resume", "--prompt", "more"], { env: stage.env });
      await terminal.shows(/1 {2}to [^]*2 {2}to [^]*1-2, Enter for 1> /);
      terminal.type(typed);
      expect(await terminal.ended).toBe(0);
      const last = stage.exchanges.at(-1);
      expect([JSON.stringify(last?.body), last === undefined ? "" : lastUserText(last)]).toEqual([
        expect.stringContaining(words),
        expect.stringContaining("more"),
      ]);
    }
  });

  slowTest("answer asks what was not said, and what is no number chooses nothing", async () => {
    const stage = await inbox.rehearse([{ tool_calls: [count, count] }, { text: "counted" }]);
    await inbox.park(stage);
    const lost = startOnTerminal(place, ["answer"], { env: stage.env });
    await lost.shows(/Enter for 1> /);
    lost.type("7\r");
    expect(await lost.ended).toBe(2);
    expect(await inbox.pending()).toHaveLength(2);
    for (const left of [1, 0]) {
      expect((await place.run(["answer", "--deny", (await inbox.pending())[0] ?? "none"])).code).toBe(0);
      expect(await inbox.pending()).toHaveLength(left);
    }
    expect(parseLines(await place.run(["sessions", "list", "--json"]))).toHaveLength(1);
  });
});
