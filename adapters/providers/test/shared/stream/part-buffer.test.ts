import { expect, test } from "vitest";
import { PartBuffer } from "../../../src/shared/stream/part-buffer.ts";

test.each<[string, (buffer: PartBuffer) => void, object]>([
  ["a notice", (buffer) => buffer.notice({ code: "x", text: "shortened" }), { type: "notice", text: "shortened" }],
  ["what the vendor declined", (buffer) => buffer.declined("no"), { type: "notice", code: "provider.declined" }],
  ["what nobody knows", (buffer) => buffer.unknown("part", { odd: 1 }, '{"odd":1}'), { type: "unknown", what: "part" }],
])("%s keeps its place between the texts before and after it, each time", (_what, add, part) => {
  const buffer = new PartBuffer();
  for (let time = 0; time < 2; time += 1) {
    buffer.text("be");
    buffer.text("fore");
    add(buffer);
    buffer.text("after");
    expect(buffer.take()).toMatchObject([
      { type: "text-delta", delta: "before" },
      part,
      { type: "text-delta", delta: "after" },
    ]);
  }
  expect(buffer.contentChars).toBe(2 * "beforeafter".length);
});

test("words that are no words decline nothing", () => {
  const buffer = new PartBuffer();
  buffer.declined("");
  expect(buffer.take()).toEqual([]);
});
