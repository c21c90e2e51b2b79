const slots = 1 << 16;
/** Small enough for the processor's nearest memory: most places are passed over without looking further. */
const nearSlots = 1 << 12;

/** Says of three neighbouring characters, in a few operations, whether anything looked for may begin with them. */
export class AnchorFilter {
  readonly #near = new Uint8Array(nearSlots);
  readonly #table = new Uint8Array(slots);

  add(anchor: string): void {
    const slot = slotOf(anchor.charCodeAt(0), anchor.charCodeAt(1), anchor.charCodeAt(2));
    this.#near[slot & (nearSlots - 1)] = 1;
    this.#table[slot & (slots - 1)] = 1;
  }

  /** The first place from `from` on where something may begin; -1: nowhere. */
  next(text: string, from: number): number {
    const near = this.#near;
    const table = this.#table;
    const end = text.length - 2;
    let first = text.charCodeAt(from);
    let second = text.charCodeAt(from + 1);
    for (let at = from; at < end; at += 1) {
      const third = text.charCodeAt(at + 2);
      const slot = slotOf(first, second, third);
      if (near[slot & (nearSlots - 1)] === 1 && table[slot & (slots - 1)] === 1) return at;
      first = second;
      second = third;
    }
    return -1;
  }
}

function slotOf(first: number, second: number, third: number): number {
  return (first << 10) ^ (second << 5) ^ third;
}
