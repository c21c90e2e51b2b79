import { runs } from "@capstan/testkit";
import { rowOf, rowText, rowWidth } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { atEnd, newPager, type Pager, pagerFrame, pagerKey, pagerText } from "../../src/overlay/pager.ts";

const size = { columns: 40, rows: 12 };
const pager = newPager(
  "Transcript",
  Array.from({ length: 100 }, (_, at) => rowOf(`row ${at}`)),
  [0, 30, 60],
);

function after(start: Pager, ...keys: readonly string[]): Pager {
  return keys.reduce((now, key) => {
    const next = key.length === 1 ? pagerText(now, key, size) : pagerKey(now, key, size);
    if (next === null) throw new Error(`${key} closed it`);
    return next;
  }, start);
}

test("rows, pages, ends and turns are reached by their keys, and never beyond the ends", () => {
  expect(after(pager, "down", "j").top).toBe(2);
  expect(after(pager, "up").top).toBe(0);
  expect(after(pager, "page-down").top).toBe(9);
  expect(after(pager, "G").top).toBe(90);
  expect(after(pager, "G", "page-down").top).toBe(90);
  expect(after(pager, "G", "g").top).toBe(0);
  expect(after(pager, "]").top).toBe(30);
  expect(after(pager, "]", "]", "[").top).toBe(30);
  expect(atEnd(pager, size).top).toBe(90);
});

test("a search finds the next row and the one after it, continues at the beginning, and is given up by Esc", () => {
  const found = after(pager, "/", "r", "o", "w", " ", "4", "enter");
  expect(found.top).toBe(4);
  expect(after(found, "n").top).toBe(40);
  expect(after(found, "N").top).toBe(49);
  expect(after(pager, "/", "x", "enter").top).toBe(0);
  expect(after(pager, "/", "4", "escape").search).toBeNull();
  expect(after(pager, "/", "q").search).toEqual({ text: "q", isTyping: true });
});

test("q and Esc close it", () => {
  expect(pagerKey(pager, "escape", size)).toBeNull();
  expect(pagerText(pager, "q", size)).toBeNull();
});

test("whatever is pressed, the frame fills the screen and no row is too wide", () => {
  const keys = fc.array(fc.constantFrom("up", "down", "page-down", "g", "G", "[", "]", "/", "n", "4", "enter"), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(keys, (typed) => {
      const { rows } = pagerFrame(after(pager, ...typed), size);
      expect(rows).toHaveLength(size.rows);
      expect(Math.max(...rows.map(rowWidth))).toBeLessThanOrEqual(size.columns);
      expect(rowText(rows[0] ?? [])).toBe("Transcript");
    }),
    { numRuns: runs(300) },
  );
});
