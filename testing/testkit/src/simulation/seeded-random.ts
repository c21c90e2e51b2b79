import type { Weighted } from "./weights.ts";

/**
 * Chance that can be had again: the same seed gives the same numbers (splitmix32). Not for secrets.
 */
export class SeededRandom {
  #state: number;

  /** @param seed  any integer; its lower 32 bits count */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** True in `share` of the cases. */
  happens(share: number): boolean {
    return this.fraction() < share;
  }

  /** One of a table, each as often as its weight among all. */
  weighted<Choice>(table: Weighted<Choice>): Choice {
    let left = this.fraction() * table.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of table) {
      if (left < weight) return choice;
      left -= weight;
    }
    throw new Error("there is nothing to choose from");
  }

  /** One of them; at least one is needed. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("there is nothing to pick from");
    return item;
  }

  /** Another source that depends on this one's seed and on `salt` alone, not on what was drawn. */
  static of(seed: number, salt: number): SeededRandom {
    return new SeededRandom(Math.imul(seed ^ 0x5bd1e995, 0x01000193) ^ Math.imul(salt + 1, 0x9e3779b1));
  }
}
