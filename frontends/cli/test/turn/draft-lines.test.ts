import { expect, test } from "vitest";
import { draftLines } from "../../src/turn/draft-lines.ts";

test("the words of an interrupted turn come back as a line to paste, whatever a shell would make of them", () => {
  expect(draftLines({ outcome: "interrupted", draft: "don't run `rm`" }, "s1")).toEqual([
    expect.stringContaining("its words are yours again"),
    "Again: capstan run --resume s1 'don'\\''t run `rm`'",
  ]);
  expect(draftLines({ outcome: "interrupted", draft: "two\nlines" }, "s1")).toHaveLength(1);
});

test("words behind a question that waits are to be sent when it is answered", () => {
  expect(draftLines({ outcome: "parked", draft: "go" }, "s1")).toEqual([
    expect.stringContaining("answer what waits first"),
  ]);
});
