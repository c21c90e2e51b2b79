import { runs } from "@capstan/testkit";
import { type Row, rowOf, rowText, rowWidth, cutText } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FullWriter } from "../../src/terminal/full-writer.ts";
import { InlineWriter } from "../../src/terminal/inline-writer.ts";
import { themes } from "../../src/terminal/theme.ts";
import { Screen } from "./screen.ts";

const options = { theme: themes["16"], asSent: (text: string): string => text };

/** Letters of one and of two cells, with marks. */
const letters = fc.constantFrom("a", "b", "x", " ", "é", "漢", "字", "e\u0301", "─");
const text = (columns: number): fc.Arbitrary<string> =>
  fc.array(letters, { maxLength: columns + 4 }).map((parts) => cutText(parts.join(""), columns));
const row = (columns: number): fc.Arbitrary<Row> =>
  fc.tuple(text(Math.floor(columns / 2)), text(Math.ceil(columns / 2))).map(([head, tail]) =>
    [
      { text: head, roles: ["good" as const] },
      { text: tail, roles: [] },
    ].filter((span) => span.text !== ""),
  );

interface Step {
  readonly finished: readonly Row[];
  readonly rows: readonly Row[];
  readonly caret: { readonly row: number; readonly column: number };
}

const step = (columns: number, height: number): fc.Arbitrary<Step> =>
  fc
    .tuple(
      fc.array(row(columns), { maxLength: 4 }),
      fc.array(row(columns), { minLength: 1, maxLength: height }),
      fc.nat(),
      fc.nat(columns - 1),
    )
    .map(([finished, rows, at, column]) => ({ finished, rows, caret: { row: at % rows.length, column } }));

const sizes = fc.record({ columns: fc.integer({ min: 10, max: 60 }), rows: fc.integer({ min: 3, max: 20 }) });
const scripts = sizes.chain((size) =>
  fc.record({ size: fc.constant(size), steps: fc.array(step(size.columns, size.rows), { maxLength: 12 }) }),
);

test("inline: scrollback and screen are the finished rows and the frame, whatever came before, and the screen is never erased as a whole", async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async ({ size, steps }) => {
      const screen = new Screen(size.columns, size.rows);
      const writer = new InlineWriter(options);
      let finished: readonly Row[] = [];
      for (const { finished: more, rows, caret } of steps) {
        await screen.write(writer.paint(more, { rows, caret }, size));
        finished = [...finished, ...more];
        expect(screen.lines).toEqual(trimmed([...finished, ...rows]));
        expect(screen.caret).toEqual({ row: finished.length + caret.row, column: caret.column });
      }
      expect(screen.wholeErasures).toBe(0);
      screen.close();
    }),
    { numRuns: runs(800) },
  );
});

test("inline: the same frame again sends nothing, and nothing is sent outside a synchronized update", () => {
  fc.assert(
    fc.property(scripts, ({ size, steps }) => {
      const writer = new InlineWriter(options);
      for (const { finished, rows, caret } of steps) {
        const bytes = writer.paint(finished, { rows, caret }, size);
        expect(bytes === "" || isOneUpdate(bytes)).toBe(true);
        expect(writer.paint([], { rows, caret }, size)).toBe("");
      }
    }),
    { numRuns: runs(1000) },
  );
});

test("inline: after a new width the frame stands once, and every finished row is whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      scripts,
      fc.array(fc.integer({ min: 10, max: 60 }), { minLength: 1, maxLength: 5 }),
      async ({ size, steps }, widths) => {
        const screen = new Screen(size.columns, 40);
        const writer = new InlineWriter(options);
        let finished: readonly Row[] = [];
        let columns = size.columns;
        for (const [at, { finished: more, rows }] of steps.entries()) {
          const next = widths[at % widths.length] ?? columns;
          if (next !== columns) screen.resize(next, 40);
          columns = next;
          const fitting = rows.map((line) => (rowWidth(line) <= columns ? line : []));
          const added = more.map((line) => (rowWidth(line) <= columns ? line : []));
          const caret = { row: fitting.length - 1, column: 0 };
          await screen.write(writer.paint(added, { rows: fitting, caret }, { columns, rows: 40 }));
          finished = [...finished, ...added];
          expect(screen.lines).toEqual(trimmed([...finished, ...fitting]));
        }
        screen.close();
      },
    ),
    { numRuns: runs(500) },
  );
});

test("inline: what is cleared leaves the finished rows alone", async () => {
  const screen = new Screen(40, 10);
  const writer = new InlineWriter(options);
  const frame = { rows: [rowOf("draft"), rowOf("status")], caret: { row: 0, column: 5 } };
  await screen.write(writer.paint([rowOf("done")], frame, { columns: 40, rows: 10 }));
  await screen.write(writer.clear());
  expect(screen.lines).toEqual(["done"]);
  await screen.write(writer.paint([rowOf("more")], frame, { columns: 40, rows: 10 }));
  await screen.write(writer.leave());
  expect(screen.lines).toEqual(["done", "more", "draft", "status"]);
  expect(screen.caret).toEqual({ row: 4, column: 0 });
  screen.close();
});

test("full screen: the screen is the frame, whatever came before, at every size", async () => {
  const resized = fc.array(
    sizes.chain((size) => fc.record({ size: fc.constant(size), step: step(size.columns, size.rows) })),
    {
      maxLength: 10,
    },
  );
  await fc.assert(
    fc.asyncProperty(resized, async (steps) => {
      const screen = new Screen(20, 10);
      await screen.write("\u001b[?1049h");
      const writer = new FullWriter(options);
      for (const {
        size,
        step: { rows, caret },
      } of steps) {
        screen.resize(size.columns, size.rows);
        const bytes = writer.paint({ rows, caret }, size);
        expect(bytes === "" || isOneUpdate(bytes)).toBe(true);
        await screen.write(bytes);
        expect(screen.lines).toEqual(trimmed(rows));
        expect(screen.caret).toEqual(caret);
        expect(writer.paint({ rows, caret }, size)).toBe("");
      }
      screen.close();
    }),
    { numRuns: runs(1000) },
  );
});

/** A row of which a middle part changes, and no cell moves. */
const beats = fc
  .record({
    head: text(8),
    before: text(6),
    after: text(20),
    ticks: fc.array(fc.nat(9), { minLength: 2, maxLength: 8 }),
  })
  .map(({ head, before, after, ticks }) =>
    ticks.map((tick): Row => {
      const spans: Row = [
        { text: head, roles: ["strong"] },
        { text: `${before}${tick % 2 === 0 ? "\u280b" : "\u2819"} works ${tick} s`, roles: ["accent"] },
        { text: after, roles: ["muted"] },
      ];
      return spans.filter((span) => span.text !== "");
    }),
  );

test("what changes inside a row is written alone, and the screen is the frame in both writers", async () => {
  await fc.assert(
    fc.asyncProperty(beats, async (rows) => {
      const size = { columns: 60, rows: 6 };
      const [inline, full] = [new Screen(60, 6), new Screen(60, 6)];
      const [below, whole] = [new InlineWriter(options), new FullWriter(options)];
      for (const beat of rows) {
        const frame = { rows: [rowOf("› draft"), beat], caret: { row: 0, column: 7 } };
        await inline.write(below.paint([], frame, size));
        await full.write(whole.paint(frame, size));
        expect([inline.lines, full.lines]).toEqual([trimmed(frame.rows), trimmed(frame.rows)]);
        expect([inline.caret, full.caret]).toEqual([frame.caret, frame.caret]);
      }
      inline.close();
      full.close();
    }),
    { numRuns: runs(500) },
  );
});

test("a frame in which only the spinner has moved takes 120 bytes at most", () => {
  const size = { columns: 120, rows: 30 };
  const [inline, full] = [
    new InlineWriter({ ...options, theme: themes.dark }),
    new FullWriter({ ...options, theme: themes.dark }),
  ];
  const bytes = ["⠋", "⠙", "⠹"].map((sign) => {
    const frame = { rows: [rowOf("› "), statusLine(sign)], caret: { row: 0, column: 2 } };
    return [inline.paint([], frame, size), full.paint(frame, size)].map((sent) => Buffer.byteLength(sent));
  });
  for (const sent of bytes.slice(1).flat()) expect(sent).toBeLessThanOrEqual(120);
});

/** A status line of a turn under way. */
function statusLine(sign: string): Row {
  return [
    ...rowOf(`${sign} answering 1 min 12 s`, "accent"),
    ...rowOf(" · ", "muted"),
    ...rowOf("anthropic/claude-opus-4 · ctx 38 % · $0.42 · main* · sandbox", "muted"),
  ];
}

/** Nothing is sent outside of one synchronized update. */
function isOneUpdate(bytes: string): boolean {
  const [begin, end] = ["\u001b[?2026h", "\u001b[?2026l"];
  return bytes.startsWith(begin) && bytes.indexOf(end) === bytes.length - end.length && bytes.lastIndexOf(begin) === 0;
}

function trimmed(rows: readonly Row[]): readonly string[] {
  const lines = rows.map((line) => rowText(line).trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
