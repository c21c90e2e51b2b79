import { toTurnId, userText } from "@capstan/protocol";
import { tester } from "@capstan/testkit";
import { rowText } from "@capstan/view";
import { expect, test } from "vitest";
import { journalRow } from "../../src/commands/journal.ts";

test("a record is one inert line: its number, its time, what it is and what it says", () => {
  const content = userText("two\nlines \u001b[2J\u202e");
  const record = { type: "turn-started", turnId: toTurnId("t1"), content, origin: tester } as const;
  const text = rowText(journalRow({ seq: 7, at: Date.UTC(2026, 0, 1, 12, 34, 56), record }));
  expect(text).toMatch(/^7 12:34:56 turn-started \{"turnId":"t1"/);
  expect(text).not.toContain("\n");
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\u202e");
});
