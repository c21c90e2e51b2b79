import { expect, test } from "vitest";
import { LeftOut } from "../../src/files/left-out.ts";
import { maxLeftNotes } from "../../src/limits.ts";

test("so many files that could not be kept are named, the others counted", () => {
  const left = new LeftOut();
  for (let at = 0; at < maxLeftNotes; at += 1) left.add(`file-${at}`, "is a pipe");
  expect([left.notes.length, left.notes[0], left.notes.at(-1)]).toEqual([
    maxLeftNotes,
    '"file-0": is a pipe',
    `"file-${maxLeftNotes - 1}": is a pipe`,
  ]);
  for (let at = 0; at < 3; at += 1) left.add("more", "is a pipe");
  expect([left.notes.length, left.notes.at(-1)]).toEqual([maxLeftNotes + 1, "and 3 more"]);
});
