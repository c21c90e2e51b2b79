import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { linesOf, parseResult } from "../stage/read-output.ts";

const place = usePlace();

test("--retry takes the last turn back, files too, and sends its words again", async () => {
  const makes = { tool_calls: [{ name: "write_file", arguments: { path: "made.txt", content: "made\n" } }] };
  const stage = await place.rehearse("anthropic", [makes, { text: "first answer" }, { text: "second answer" }]);
  expect((await stage.run(["--yolo", "make it please"])).code).toBe(0);
  expect(place.has("made.txt")).toBe(true);
  const again = await stage.run(["--continue", "--retry", "--output-format", "json"]);
  expect(parseResult(again)).toMatchObject({ outcome: "done", text: "second answer" });
  expect(place.has("made.txt")).toBe(false);
  const sent = JSON.stringify(stage.exchanges.at(-1)?.body);
  expect([sent.split("make it please").length, sent.includes("first answer")]).toEqual([2, false]);
});

slowTest("--retry takes no other words, and needs a session", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never asked for" }]);
  for (const args of [["--retry"], ["-c", "--retry", "other words"], ["-c", "--retry", "--fork-session"]])
    expect((await stage.run(args)).code).toBe(2);
  expect(stage.exchanges).toEqual([]);
});

test("sessions show --follow reads along until the writer has gone", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "word ".repeat(400), piece_bytes: 40, delay_ms: 5 }]);
  const writer = stage.start(["--session-id", "watched", "--output-format", "stream-json", "talk"]);
  await writer.stdoutMatches(/"turn-started"/);
  const follower = await place.run(["sessions", "show", "watched", "--follow", "--json"]);
  expect((await writer.ended).code).toBe(0);
  expect(follower.code).toBe(0);
  expect(linesOf(follower, "turn-ended")).toHaveLength(1);
});
