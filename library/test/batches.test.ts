/** Calls of one answer that stand on each other: they come out as if each had been made alone. */
import { expect, test } from "vitest";
import { outcomeOf } from "./batch-outcome.ts";
import { type BatchCall, unwanted } from "./random-batch.ts";

const write = (path: string, content: string): BatchCall => ({ name: "write_file", arguments: { path, content } });
const edit = (path: string, from: string, to: string): BatchCall => ({
  name: "edit_file",
  arguments: { path, old_string: from, new_string: to },
});
const read = (path: string): BatchCall => ({ name: "read_file", arguments: { path } });
const command = (...argv: readonly string[]): BatchCall => ({ name: "run_command", arguments: { argv } });

test("write then read, write then edit, a command and a read of what it made, `rm` then write: each call finds what the one before it left", async () => {
  for (const strategy of ["sequential", "parallel-reads"]) {
    const first = [
      write("a.txt", "oak\n"),
      read("a.txt"),
      edit("a.txt", "oak", "elm"),
      write("deep/b.txt", "yew\n"),
      { name: "list_directory", arguments: { path: "deep" } },
      command("sh", "-c", "echo made > made.txt"),
      read("made.txt"),
      command("rm", "a.txt"),
      write("a.txt", "ash\n"),
    ];
    // The second batch of the turn stands on the first.
    const second = [
      edit("a.txt", "ash", "fir"),
      edit("a.txt", "fir", "box"),
      read("a.txt"),
      edit("made.txt", "made", "kept"),
    ];
    const { results, files, asked } = await outcomeOf([first, second], strategy);
    expect(results.filter((result) => !result.startsWith("done:"))).toEqual([]);
    expect([results[1], results[6], results[11]]).toEqual(["done: 1\toak", "done: 1\tmade", "done: 1\tbox"]);
    expect(files).toEqual({ "a.txt": "box\n", "deep/": "", "deep/b.txt": "yew\n", "made.txt": "kept\n" });
    expect(asked).toEqual([
      [
        "Create a.txt (1 line, 4 bytes)",
        "Edit a.txt (1 line becomes 1)",
        "Create deep/b.txt (1 line, 4 bytes)",
        "sh -c 'echo made > made.txt'",
        "rm a.txt",
      ],
      ["Create a.txt (1 line, 4 bytes)"],
      ["Edit a.txt (1 line becomes 1)", "Edit a.txt (1 line becomes 1)", "Edit made.txt (1 line becomes 1)"],
    ]);
  }
});

test("a question holds the diff of its change on top of the changes before it", async () => {
  const { diffs } = await outcomeOf([[write("a.txt", "oak\n"), edit("a.txt", "oak", "elm")]], "parallel-reads");
  expect(diffs).toEqual([
    "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+oak\n",
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-oak\n+elm\n",
  ]);
});

test("what stood on a denied call is asked about as it is without it, or refused", async () => {
  const calls = [write("a.txt", `${unwanted}\n`), edit("a.txt", unwanted.slice(2), "elm"), write("b.txt", "yew\n")];
  const { results, files } = await outcomeOf([calls], "parallel-reads");
  expect(results.map((result) => result.slice(0, 8))).toEqual(["denied: ", "rejected", "done: Cr"]);
  expect(results[1]).toContain("does not exist");
  expect(files).toEqual({ "b.txt": "yew\n" });
});

test("under review proposals stand on proposals, and nothing of them is on disk", async () => {
  const calls = [write("a.txt", "oak\n"), edit("a.txt", "oak", "elm"), read("a.txt")];
  const { results, files } = await outcomeOf([calls], "review");
  expect(results).toEqual([
    "proposed: Proposed for review, not applied: Created a.txt (1 line).",
    "proposed: Proposed for review, not applied: Edited a.txt, 1 replacement.",
    expect.stringMatching(/^rejected: "a.txt" does not exist/),
  ]);
  expect(files).toEqual({});
});
