import { type JournalRecord, type SessionEvent, supersededScope } from "@capstan/protocol";
import { playMoves, pruned, randomMoves, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Cell } from "../../src/transcript/cell.ts";
import { itemAt, itemsOf } from "../../src/transcript/persistent-list.ts";
import { reduce } from "../../src/transcript/reduce.ts";
import { cellsFrom, emptyTranscript, type Transcript } from "../../src/transcript/transcript.ts";

const journals = fc
  .tuple(randomMoves, fc.nat(11))
  .map(([moves, variant]) => numbered(playMoves(moves, variant).journal));
const often = { numRuns: runs(300) };

function numbered(journal: readonly JournalRecord[]): readonly SessionEvent[] {
  return journal.map((record, at) => ({ seq: at + 1, at: 1000 + at, record }));
}

function fold(events: readonly SessionEvent[], from: Transcript = emptyTranscript): Transcript {
  return events.reduce(reduce, from);
}

/** As the store hands them out: without the pieces that a later record of theirs superseded. */
function kept(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const records = new Set(pruned(events.map(({ record }) => record)));
  return events.filter(({ record }) => records.has(record));
}

/** All that a screen shows, whatever the lists look like inside. */
function shown(transcript: Transcript): unknown {
  const { cells, turns, work, ...rest } = transcript;
  const { rewound, ...open } = work;
  const before = rewound.map((mark) => ({ ...mark, turns: [...itemsOf(mark.turns)] }));
  return { ...rest, cells: [...itemsOf(cells)], turns: [...itemsOf(turns)], work: { ...open, rewound: before } };
}

test("every prefix of every journal has a transcript", () => {
  fc.assert(
    fc.property(journals, (events) => {
      let transcript = emptyTranscript;
      for (const event of events) {
        transcript = reduce(transcript, event);
        expect(transcript.seq).toBe(event.seq);
      }
    }),
    often,
  );
});

test("at every record that supersedes pieces, whoever followed live sees what whoever reads the journal sees", () => {
  fc.assert(
    fc.property(journals, (events) => {
      let live = emptyTranscript;
      for (const [at, event] of events.entries()) {
        live = reduce(live, event);
        if (supersededScope(event.record) === undefined) continue;
        expect(shown(fold(kept(events.slice(0, at + 1))))).toEqual(shown(live));
      }
    }),
    often,
  );
});

test("whoever joins at any number, reads what is kept until there and follows on from it, sees the same", () => {
  fc.assert(
    fc.property(journals, fc.nat(), (events, number) => {
      const at = number % (events.length + 1);
      const joined = fold(events.slice(at), fold(kept(events.slice(0, at))));
      expect(shown(joined)).toEqual(shown(fold(events)));
    }),
    often,
  );
});

test("what is handed out twice counts once", () => {
  fc.assert(
    fc.property(journals, fc.nat(), (events, number) => {
      const at = number % (events.length + 1);
      const whole = fold(events);
      expect(fold(events.slice(at), whole)).toBe(whole);
    }),
    often,
  );
});

test("a final cell never changes again, and every cell below the settled ones is final", () => {
  fc.assert(
    fc.property(journals, (events) => {
      let transcript = emptyTranscript;
      for (const event of events) {
        const before = transcript;
        transcript = reduce(transcript, event);
        const changed = [...cellsFrom(before)].filter(
          (cell, at) => cell.isFinal && itemAt(transcript.cells, at) !== cell,
        );
        expect(changed).toEqual([]);
        expect([...cellsFrom(transcript)].findIndex((cell) => !cell.isFinal)).toBe(
          transcript.settled === transcript.cells.length ? -1 : transcript.settled,
        );
      }
    }),
    { numRuns: runs(100) },
  );
});

test("when a session rests nothing of it is open, and no work is left over", () => {
  fc.assert(
    fc.property(journals, (events) => {
      const ends = events.flatMap(({ record }, at) => (record.type === "turn-ended" ? [at + 1] : []));
      for (const end of ends) {
        const { cells, settled, work } = fold(events.slice(0, end));
        expect([settled, work.turn, work.step, work.calls, work.interactions]).toEqual([
          cells.length,
          null,
          null,
          [],
          [],
        ]);
      }
    }),
    often,
  );
});

test("each call of an answer is one cell, which ends as the record says", () => {
  fc.assert(
    fc.property(journals, (events) => {
      const finished = events.flatMap(({ record }) => (record.type === "tool-finished" ? [record.outcome.type] : []));
      const ended = [...cellsFrom(fold(events))].flatMap((cell) =>
        cell.type === "call" && cell.state.type === "ended" ? [cell.state.end.outcome] : [],
      );
      expect(ended.toSorted()).toEqual(finished.toSorted());
    }),
    often,
  );
});

/** What these find open they close. */
const closing: ReadonlySet<JournalRecord["type"]> = new Set(["turn-ended", "turn-started", "step-started"]);

test("an event shares every cell with the transcript before it but the ones it is about", () => {
  fc.assert(
    fc.property(journals, (events) => {
      let transcript = emptyTranscript;
      for (const event of events) {
        const before: readonly Cell[] = [...cellsFrom(transcript)];
        transcript = reduce(transcript, event);
        const changed = before.filter((cell, at) => itemAt(transcript.cells, at) !== cell);
        const limit = closing.has(event.record.type) ? before.length : 1;
        expect(changed.length).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: runs(100) },
  );
});
