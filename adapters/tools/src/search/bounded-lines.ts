/** Result lines as long as they fit: bounded in number and in size. */
export class BoundedLines {
  readonly lines: string[] = [];
  /** Lines without separators. */
  count = 0;
  isFull = false;
  readonly #limit: number;
  #roomBytes: number;

  constructor(limit: number, roomBytes: number) {
    this.#limit = limit;
    this.#roomBytes = roomBytes;
  }

  add(line: string): void {
    this.#roomBytes -= Buffer.byteLength(line) + 1;
    this.isFull ||= this.count >= this.#limit || this.#roomBytes < 0;
    if (this.isFull) return;
    this.lines.push(line);
    this.count += 1;
  }

  separate(): void {
    if (this.count === 0 || this.isFull) return;
    this.#roomBytes -= 3;
    this.lines.push("--");
  }
}
