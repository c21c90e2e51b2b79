import type { Quarantine, QuarantinedItem } from "./quarantine/quarantine.ts";

/** What became of what killed runs had left: told once, with the first command that ends. */
export class Untold {
  #left: readonly string[];
  #isTold = false;

  /** @param left  what was left alone, in words */
  constructor(left: readonly string[]) {
    this.#left = left;
  }

  /** @param roots  the folders that whoever is told works in */
  tell(
    quarantine: Quarantine,
    roots: readonly string[],
  ): { readonly left: readonly string[]; readonly moved: readonly QuarantinedItem[] } {
    const left = this.#left;
    const moved = this.#isTold ? [] : quarantine.tell(roots);
    this.#left = [];
    this.#isTold = true;
    return { left, moved };
  }
}
