import type { Layout } from "../layout/check-layout.ts";
import { maxHoldings } from "../limits.ts";
import { Holding } from "./holding.ts";
import type { HolderParts } from "./start-holder.ts";

/** The holders of all sessions: one for each, and one more for other folders that a command may change. */
export class Holdings {
  readonly #parts: HolderParts;
  readonly #sessions = new Map<string, Map<string, Holding>>();

  constructor(parts: HolderParts) {
    this.#parts = parts;
  }

  of(session: string, layout: Layout): Holding {
    const held = this.#sessions.get(session) ?? new Map<string, Holding>();
    this.#sessions.set(session, held);
    const key = JSON.stringify([layout.roots, layout.writable, layout.around]);
    const found = held.get(key);
    if (found?.isCurrent === true) return found;
    found?.close();
    for (const [other, holding] of held) {
      if (held.size < maxHoldings) break;
      if (!holding.isIdle || other === key) continue;
      holding.close();
      held.delete(other);
    }
    const holding = new Holding(this.#parts, layout);
    held.set(key, holding);
    return holding;
  }

  endSession(session: string): void {
    for (const holding of this.#sessions.get(session)?.values() ?? []) holding.close();
    this.#sessions.delete(session);
  }
}
