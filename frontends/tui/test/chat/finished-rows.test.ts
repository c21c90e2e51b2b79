import type { JournalRecord, SessionEvent } from "@capstan/protocol";
import { playMoves, randomMoves, runs } from "@capstan/testkit";
import { cellsFrom, emptyTranscript, reduce, type Row, rowText, rowWidth, withoutOldCells } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cellRows } from "../../src/cells/cell-rows.ts";
import type { CellView } from "../../src/cells/cell-view.ts";
import { FinishedRows } from "../../src/chat/finished-rows.ts";

const view: CellView = { columns: 60, now: 5000, user: "someone", isWhole: false };

const journals = fc
  .tuple(randomMoves, fc.nat(11))
  .map(([moves, variant]) => numbered(playMoves(moves, variant).journal));

function numbered(journal: readonly JournalRecord[]): readonly SessionEvent[] {
  return journal.map((record, at) => ({ seq: at + 1, at: 1000 + at, record }));
}

const replaced = "↑ this answer does not count: it was begun again";

function texts(rows: readonly Row[]): readonly string[] {
  return rows.map(rowText);
}

test("of every journal each row is handed out once, and at the end they and the open rows are the transcript", () => {
  fc.assert(
    fc.property(journals, (events) => {
      const finished = new FinishedRows();
      let transcript = emptyTranscript;
      const rows: Row[] = [];
      for (const event of events) {
        transcript = reduce(transcript, event);
        rows.push(...finished.take(transcript, view));
        finished.open(transcript, view);
      }
      rows.push(...finished.open(transcript, view));
      const shown = texts(rows);
      const whole = texts([...cellsFrom(transcript)].flatMap((cell) => cellRows(cell, view)));
      // What stood there before an answer was begun again cannot be taken back: the rest is the same.
      const isSame = shown.includes(replaced)
        ? shown.join("\n").endsWith(whole.at(-1) ?? "")
        : JSON.stringify(shown) === JSON.stringify(whole);
      expect(isSame).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

test("a journal that is read a little at a time gives the same rows, and says when it is behind", () => {
  fc.assert(
    fc.property(journals, fc.integer({ min: 1, max: 40 }), (events, characters) => {
      const transcript = events.reduce(reduce, emptyTranscript);
      const [finished, whole] = [new FinishedRows(), new FinishedRows()];
      const rows: Row[] = [];
      do {
        rows.push(...finished.take(transcript, view, characters));
        finished.open(transcript, view);
      } while (finished.isBehind);
      expect(texts([...rows, ...finished.open(transcript, view)])).toEqual(
        texts([...whole.take(transcript, view), ...whole.open(transcript, view)]),
      );
      expect(finished.take(transcript, view, characters)).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

test("no row of any journal is wider than the screen but for code", () => {
  fc.assert(
    fc.property(journals, fc.integer({ min: 20, max: 120 }), (events, columns) => {
      const transcript = events.reduce(reduce, emptyTranscript);
      for (const cell of cellsFrom(transcript))
        for (const row of cellRows(cell, { ...view, columns })) {
          if (row.some(({ roles }) => roles.includes("code"))) continue;
          expect(rowWidth(row)).toBeLessThanOrEqual(columns);
        }
    }),
    { numRuns: runs(200) },
  );
});

test("cells whose rows were handed out may be given up: all rows that follow are the same", () => {
  fc.assert(
    fc.property(journals, (events) => {
      const [kept, given] = [new FinishedRows(), new FinishedRows()];
      let [whole, less] = [emptyTranscript, emptyTranscript];
      for (const event of events) {
        whole = reduce(whole, event);
        less = withoutOldCells(reduce(less, event), given.at);
        expect(texts(given.take(less, view))).toEqual(texts(kept.take(whole, view)));
        expect(texts(given.open(less, view))).toEqual(texts(kept.open(whole, view)));
      }
    }),
    { numRuns: runs(30) },
  );
});
