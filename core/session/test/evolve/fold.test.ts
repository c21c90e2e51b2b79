import { evolve, fold, Folding, initialState } from "@capstan/session";
import { playMoves, randomMoves, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const journals = fc.tuple(randomMoves, fc.nat(100)).map(([moves, variant]) => playMoves(moves, variant).journal);

test("a fold ends in the state that its records lead to one by one", () => {
  fc.assert(
    fc.property(journals, (journal) => {
      expect(fold(journal)).toEqual(journal.reduce(evolve, initialState));
    }),
    { numRuns: runs(500) },
  );
});

test("what a fold began with stays as it was", () => {
  fc.assert(
    fc.property(journals, fc.double({ min: 0, max: 1, noNaN: true }), (journal, share) => {
      const cut = Math.floor(share * journal.length);
      const half = fold(journal.slice(0, cut));
      const before = structuredClone(half);
      const whole = fold(journal.slice(cut), half);
      expect(half).toEqual(before);
      expect(whole).toEqual(journal.reduce(evolve, initialState));
    }),
    { numRuns: runs(500) },
  );
});

test("two folds that take turns do not touch each other", () => {
  fc.assert(
    fc.property(journals, journals, (one, other) => {
      const [first, second] = [new Folding(), new Folding()];
      for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
        const [mine, yours] = [one[at], other[at]];
        if (mine !== undefined) first.take(mine);
        if (yours !== undefined) second.take(yours);
      }
      expect([first.state, second.state]).toEqual([
        one.reduce(evolve, initialState),
        other.reduce(evolve, initialState),
      ]);
    }),
    { numRuns: runs(200) },
  );
});
