import { type Interaction, toInteractionId, toToolCallId } from "@capstan/protocol";
import { action } from "@capstan/testkit";
import { rowText } from "@capstan/view";
import { expect, test } from "vitest";
import { type Card, cardFor } from "../../src/card/card.ts";
import { cardRows } from "../../src/card/card-rows.ts";

function edit(removed: string, added: string): Interaction {
  const diff = `--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n same\n-${removed}\n+${added}\n`;
  const request = {
    type: "approval",
    callId: toToolCallId("c"),
    action: action("write_file", { path: "a.txt" }),
    reason: "it changes",
    risk: "low",
    warnings: [],
    changes: [{ path: "a.txt", kind: "modified", addedLines: 1, removedLines: 1, diff }],
  } as const;
  const id = toInteractionId("i");
  return { id, request, digest: "d", openedAt: 0, expiresAt: null, origin: { frontend: "tui" }, answerers: [] };
}

function shown(interaction: Interaction, columns: number): readonly string[] {
  const card = cardFor(null, [interaction], 0);
  if (card === null) throw new Error("nothing is asked");
  return cardRows(card, [interaction], { columns, rows: 20, now: 0 }).rows.map((row) => rowText(row));
}

test("a change that is asked about stands in two halves from 140 columns, and in lines below", () => {
  const wide = shown(edit("old", "new"), 150);
  expect(wide).toContainEqual(expect.stringMatching(/^▌ - old +│\+ new$/));
  const narrow = shown(edit("old", "new"), 120);
  expect(narrow).toContain("▌ - old");
  expect(narrow).toContain("▌ + new");
});

test("where a half would cut a line, what is decided on stays in whole lines", () => {
  const rows = shown(edit("old", "x".repeat(100)), 150);
  expect(rows).toContain(`▌ + ${"x".repeat(100)}`);
  expect(rows.join("\n")).not.toContain("│");
});

test("the foot says what keys do now: on a line that is written none answers but Enter", () => {
  const pending = [edit("old", "new")];
  const card = cardFor(null, pending, 0);
  if (card === null) throw new Error("nothing is asked");
  const foot = (more: Partial<Card>): string =>
    cardRows({ ...card, focus: "card", isPainted: true, ...more }, pending, { columns: 80, rows: 20, now: 0 })
      .rows.map((row) => rowText(row))
      .join("\n");
  expect(foot({})).toContain("a number answers · v details · Esc later");
  expect(foot({ words: { digit: "5", text: "" } })).toContain("Enter answers with it · Esc back");
  expect(foot({ words: { digit: "5", text: "" } })).not.toContain("a number answers");
});
