import { expect, test } from "vitest";
import { markedBlocks } from "../../src/dialects/marked-blocks.ts";

function block(search: string, replace: string): string {
  return `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
}

function converted(diff: string): ReturnType<typeof markedBlocks.convert> {
  return markedBlocks.convert({ path: "a", diff }, "replace_in_file");
}

function edits(...list: readonly (readonly [string, string])[]): object {
  const written = list.map(([old_string, new_string]) => ({ old_string, new_string }));
  return { type: "call", tool: "edit_file", arguments: { path: "a", edits: written } };
}

test("each block is an edit, in order", () => {
  expect(converted(`${block("a\nb\n", "c\n")}words between\n${block("d\n", "e\nf\n")}`)).toEqual(
    edits(["a\nb", "c"], ["d", "e\nf"]),
  );
});

test("lines that nothing takes the place of go with their line end", () => {
  expect(converted(block("a\nb\n", ""))).toEqual(edits(["a\nb\n", ""]));
});

test("one block that looks for nothing is the whole file; beside another it is an edit", () => {
  const whole = { path: "a", content: "c\nd\n", overwrite: true };
  expect(converted(block("", "c\nd\n"))).toEqual({ type: "call", tool: "write_file", arguments: whole });
  expect(converted(block("", "c\n") + block("d\n", "e\n"))).toEqual(edits(["", "c\n"], ["d", "e"]));
});

test("notes about lines before the text are no part of it; the same words without their end are", () => {
  expect(converted(block(":start_line:3\n:end_line:4\n-------\na\n", "b\n"))).toEqual(edits(["a", "b"]));
  expect(converted(block(":start_line:3\na\n", "b\n"))).toEqual(edits([":start_line:3\na", "b"]));
  expect(converted(block("-------\na\n", "b\n"))).toEqual(edits(["-------\na", "b"]));
});

test("the marks of other agents count, and so do line ends of Windows", () => {
  expect(converted("------- SEARCH\na\n=======\nb\n+++++++ REPLACE")).toEqual(edits(["a", "b"]));
  expect(converted(block("a\n", "b\n").replaceAll("\n", "\r\n"))).toEqual(edits(["a", "b"]));
});

test("marks that are not in order are refused with the order; what has none is no such call", () => {
  const wrong = { type: "wrong", problem: expect.stringContaining("in this order") };
  expect(converted("<<<<<<< SEARCH\na\n=======\nb\n")).toEqual(wrong);
  expect(converted("<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n")).toEqual(wrong);
  expect(converted("a\n")).toBeUndefined();
  expect(markedBlocks.convert({ diff: block("a\n", "b\n") }, "replace_in_file")).toBeUndefined();
});
