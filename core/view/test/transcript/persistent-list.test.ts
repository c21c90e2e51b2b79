import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  emptyList,
  itemAt,
  itemsOf,
  type PersistentList,
  shortened,
  withAppended,
  withItem,
  withoutItems,
} from "../../src/transcript/persistent-list.ts";

type Change =
  | { readonly type: "append"; readonly item: number }
  | { readonly type: "replace"; readonly at: number; readonly item: number }
  | { readonly type: "shorten"; readonly length: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("append"), item: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("replace"), at: fc.integer({ min: -2, max: 90 }), item: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("shorten"), length: fc.nat(90) }) },
);

function changed(list: PersistentList<number>, made: Change): PersistentList<number> {
  if (made.type === "append") return withAppended(list, made.item);
  return made.type === "replace" ? withItem(list, made.at, made.item) : shortened(list, made.length);
}

function changedArray(items: readonly number[], made: Change): readonly number[] {
  if (made.type === "append") return [...items, made.item];
  if (made.type === "shorten") return items.slice(0, made.length);
  return made.at < 0 || made.at >= items.length ? items : items.with(made.at, made.item);
}

test("it holds what an array would hold, and every version of it stays as it was", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200, size: "max" }), (changes) => {
      const versions: (readonly [PersistentList<number>, readonly number[]])[] = [[emptyList(), []]];
      for (const made of changes) {
        const [list, items] = versions.at(-1) ?? [emptyList(), []];
        versions.push([changed(list, made), changedArray(items, made)]);
      }
      for (const [list, items] of versions) expect([...itemsOf(list)]).toEqual(items);
    }),
  );
});

test("it grows over three levels and is read from any place", () => {
  let list = emptyList<number>();
  for (let item = 0; item < 40_000; item += 1) list = withAppended(list, item);
  expect([list.height, itemAt(list, 39_999), itemAt(list, 40_000), itemAt(list, -1)]).toEqual([
    3,
    39_999,
    undefined,
    undefined,
  ]);
  expect([...itemsOf(list, 39_997)]).toEqual([39_997, 39_998, 39_999]);
  const other = withItem(list, 5, -1);
  expect([itemAt(list, 5), itemAt(other, 5), itemAt(other, 33_000)]).toEqual([5, -1, 33_000]);
});

function grown(list: PersistentList<number>, from: number, to: number): PersistentList<number> {
  let now = list;
  for (let at = from; at < to; at += 1) now = withAppended(now, at);
  return now;
}

test("a list without its oldest items has all others where they were, also after it has grown, and holds less than a leaf of the old ones", () => {
  fc.assert(
    fc.property(fc.nat(3000), fc.integer({ min: -5, max: 3100 }), fc.nat(1500), (length, before, more) => {
      const cut = withoutItems(grown(emptyList<number>(), 0, length), before);
      const list = grown(cut, length, length + more);
      expect(list.length).toBe(length + more);
      const begins = Math.max(0, Math.min(before, length - 1));
      expect([...itemsOf(list, begins)]).toEqual(
        Array.from({ length: length + more - begins }, (_, at) => begins + at),
      );
      expect([...itemsOf(list)].length - (length + more - begins)).toBeLessThan(32);
      expect(itemAt(withItem(list, begins, -1), begins)).toBe(begins < list.length ? -1 : undefined);
    }),
    { numRuns: 60 },
  );
});
