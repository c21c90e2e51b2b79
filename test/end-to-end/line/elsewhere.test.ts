import { renameSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";

const place = usePlace();

const write = { name: "write_file", arguments: { path: "note.txt", content: "written\n" } };
const free = ["--permission-mode", "accept-edits"];

test("who continues a session from another folder sees where it works, each time, and never works where -C says otherwise", async () => {
  const stage = await place.rehearse("anthropic", [
    { text: "begun" },
    { tool_calls: [write] },
    { text: "written" },
    { text: "again" },
  ]);
  place.write("other/x.txt", "x");
  place.write("there/x.txt", "x");
  const begun = await stage.run(["-C", "there", "--output-format", "json", "begin"]);
  const id = String(parseResult(begun)["sessionId"]);
  const there = join(place.workspace, "there");
  const said = `this session works in ${there}, where it was begun`;
  expect(begun.stderr).not.toContain("this session works in");
  const written = await stage.run(["--resume", id, ...free, "write it"]);
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining(said)]);
  expect([place.has("note.txt"), place.read("there/note.txt")]).toEqual([false, "written\n"]);
  for (const _ of ["first", "second"]) {
    const refused = await stage.run(["-C", "other", "--resume", id, ...free, "write it there"]);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain(`the session ${id} works in ${there}, so -C ${join(place.workspace, "other")}`);
  }
  const here = await stage.run(["-C", "there", "--resume", id, "again"]);
  expect([here.code, here.stderr]).toEqual([0, expect.not.stringContaining("this session works in")]);
  expect(stage.exchanges).toHaveLength(4);
});

slowTest("a session whose folder was renamed names the line that continues it, and that line works", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "begun" }, { text: "continued" }, { text: "once more" }]);
  place.write("old/x.txt", "x");
  const id = String(parseResult(await stage.run(["-C", "old", "--output-format", "json", "begin"]))["sessionId"]);
  renameSync(join(place.workspace, "old"), join(place.workspace, "new"));
  for (const answer of ["continued", "once more"]) {
    const refused = await stage.run(["-C", "new", "--resume", id, "go"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`Try: capstan --resume ${id} --fork-session "what is left to do?"\n`);
    const copied = await stage.run(["-C", "new", "--resume", id, "--fork-session", "what is left to do?"]);
    expect([copied.code, copied.stdout]).toEqual([0, `${answer}\n`]);
  }
});
