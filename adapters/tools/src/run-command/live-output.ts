import { liveFlushLength, liveFlushMs, liveTotalLength } from "./limits.ts";

type Show = (stream: "stdout" | "stderr", text: string) => void;

/**
 * Output for people while a command runs: joined, in order, and bounded. What is too fast to read is left out, and said so;
 * the result repeats what matters.
 */
export class LiveOutput {
  readonly #show: Show;
  #waiting: { stream: "stdout" | "stderr"; text: string }[] = [];
  #waitingLength = 0;
  #shownLength = 0;
  #skippedLength = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(show: Show) {
    this.#show = show;
  }

  add(stream: "stdout" | "stderr", text: string): void {
    if (text === "" || this.#shownLength >= liveTotalLength) return;
    const last = this.#waiting.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#waiting.push({ stream, text });
    this.#waitingLength += text.length;
    this.#dropOldest();
    this.#timer ??= setTimeout(() => this.flush(), liveFlushMs);
  }

  /** Shows what waits. After the last call nothing is left running. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ready = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    for (const [index, { stream, text }] of ready.entries()) {
      const skipped =
        index === 0 && this.#skippedLength > 0 ? `\n[${this.#skippedLength} characters not shown live]\n` : "";
      this.#shownLength += text.length;
      const end = this.#shownLength >= liveTotalLength ? "\n[no more is shown live]\n" : "";
      this.#show(stream, `${skipped}${text}${end}`);
      if (end !== "") break;
    }
    this.#skippedLength = 0;
  }

  #dropOldest(): void {
    while (this.#waitingLength > liveFlushLength) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const surplus = Math.min(this.#waitingLength - liveFlushLength, first.text.length);
      // Never between the halves of a surrogate pair.
      const cut = /[\udc00-\udfff]/.test(first.text.charAt(surplus)) ? surplus + 1 : surplus;
      first.text = first.text.slice(cut);
      this.#waitingLength -= cut;
      this.#skippedLength += cut;
      if (first.text === "") this.#waiting.shift();
    }
  }
}
