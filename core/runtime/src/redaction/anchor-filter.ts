const slots = 1 << 16;

/** Says of three neighbouring characters, in a few operations, whether anything looked for may begin with them. */
export class AnchorFilter {
  readonly #table = new Uint8Array(slots);

  add(anchor: string): void {
    this.#table[slotOf(anchor.charCodeAt(0), anchor.charCodeAt(1), anchor.charCodeAt(2))] = 1;
  }

  /** The first place from `from` on where something may begin; -1: nowhere. */
  next(text: string, from: number): number {
    let first = text.charCodeAt(from);
    let second = text.charCodeAt(from + 1);
    for (let at = from; at + 2 < text.length; at += 1) {
      const third = text.charCodeAt(at + 2);
      if (this.#table[slotOf(first, second, third)] === 1) return at;
      first = second;
      second = third;
    }
    return -1;
  }
}

function slotOf(first: number, second: number, third: number): number {
  return (first * 961 + second * 31 + third) & (slots - 1);
}
