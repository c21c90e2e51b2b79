import { type ToolCallId, toToolCallId } from "@capstan/protocol";
import type { Healing } from "./healing.ts";

/** Gives each call an id of its own that every wire can carry. */
export class CallNames {
  readonly #healing: Healing;
  readonly #used = new Set<string>();
  #minted = 0;

  constructor(healing: Healing) {
    this.#healing = healing;
  }

  next(foreignId: string): ToolCallId {
    const isFree = /^[\w-]{1,64}$/.test(foreignId) && !this.#used.has(foreignId);
    if (this.#used.has(foreignId)) this.#healing.note("repeated call ids renamed");
    const id = isFree ? foreignId : this.#mint();
    this.#used.add(id);
    return toToolCallId(id);
  }

  #mint(): string {
    do this.#minted += 1;
    while (this.#used.has(`imported_${this.#minted}`));
    return `imported_${this.#minted}`;
  }
}
