/** The last bytes of a stream, in a fixed amount of memory. */
export class TailBuffer {
  readonly #ring: Buffer;
  #next = 0;
  #held = 0;

  constructor(capacityBytes: number) {
    this.#ring = Buffer.allocUnsafe(capacityBytes);
  }

  append(bytes: Buffer): void {
    const capacity = this.#ring.length;
    const kept = bytes.subarray(Math.max(0, bytes.length - capacity));
    const first = Math.min(kept.length, capacity - this.#next);
    kept.copy(this.#ring, this.#next, 0, first);
    kept.copy(this.#ring, 0, first);
    this.#next = capacity === 0 ? 0 : (this.#next + kept.length) % capacity;
    this.#held = Math.min(capacity, this.#held + kept.length);
  }

  /** What is held, oldest first. */
  read(): Buffer {
    if (this.#held < this.#ring.length) return Buffer.from(this.#ring.subarray(0, this.#held));
    return Buffer.concat([this.#ring.subarray(this.#next), this.#ring.subarray(0, this.#next)]);
  }
}
