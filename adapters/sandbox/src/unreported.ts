import type { Quarantine, QuarantinedItem } from "./quarantine/quarantine.ts";

/** What became of what killed runs had left: reported once, with the first command that ends. */
export class Unreported {
  #left: readonly string[];
  #isReported = false;

  /** @param left  what was left alone, in words */
  constructor(left: readonly string[]) {
    this.#left = left;
  }

  /** @param roots  the folders that whoever is informed works in */
  report(
    quarantine: Quarantine,
    roots: readonly string[],
  ): { readonly left: readonly string[]; readonly moved: readonly QuarantinedItem[] } {
    const left = this.#left;
    const moved = this.#isReported ? [] : quarantine.report(roots);
    this.#left = [];
    this.#isReported = true;
    return { left, moved };
  }
}
