import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import type { Run } from "../stage/run-capstan.ts";

const place = usePlace();

function ted(stage: Stage, ...args: readonly string[]): Promise<Run> {
  return place.run(["embed", "--dialect", "ted", "--model", "anthropic/rehearsal", ...args], { env: stage.env });
}

/** Each line as Ted's programs read it: its type, and its data. */
function shown(run: Run): readonly unknown[] {
  return parseLines(run).map(({ type, timestamp, session_id: id, data }) => {
    expect([typeof timestamp, typeof id]).toEqual(["number", "string"]);
    return { type, data };
  });
}

test("in review mode a change of a file is shown and not made", async () => {
  const write = { name: "write_file", arguments: { path: "made.txt", content: "x\n" } };
  const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "Proposed." }]);
  const run = await ted(stage, "--review-mode", "--permission-mode", "accept-edits", "write it");
  expect(shown(run)).toContainEqual({ type: "file_create", data: { path: "made.txt", content: "x\n" } });
  expect(shown(run).at(-1)).toMatchObject({ data: { success: true, files_changed: ["made.txt"] } });
  expect(place.has("made.txt")).toBe(false);
});

test("without a prompt, with a file that is not there, or with a trust that nobody gave, an error is the only line", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  for (const args of [[], ["--history", "none.json", "hello"], ["--trust", "hello"]]) {
    const run = await ted(stage, ...args);
    expect([parseLines(run).map(({ type }) => type), run.code]).toEqual([["error"], 2]);
  }
  expect((await place.run(["embed", "--dialect", "klingon"])).stderr).toContain("expected capstan, claude, codex, ted");
});
