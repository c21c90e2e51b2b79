import { DeltaText } from "../shared/stream/delta-text.ts";
import { wellFormed } from "../shared/well-formed.ts";

/**
 * A text that arrives in pieces and is then said once more as a whole. The whole is the truth: pieces that were lost are
 * handed on late, and where the two contradict each other the whole counts.
 */
export class SettlingText {
  private readonly pieces: DeltaText = new DeltaText();
  private whole: string | undefined;

  get text(): string {
    return this.whole ?? this.pieces.text;
  }

  /** Takes what was there from the start: more pieces may follow. */
  begin(text: string): string {
    return this.text === "" ? this.add(text) : "";
  }

  /** Takes the next piece; returns what can be shown of it. */
  add(piece: string): string {
    return this.whole === undefined ? this.pieces.add(piece) : "";
  }

  /** Takes the whole; returns what was not shown of it yet. An empty one says nothing: some servers leave it out. */
  settle(whole: string): string {
    if (whole === "") return "";
    const before = this.text;
    this.whole = wellFormed(whole);
    return this.whole.startsWith(before) ? this.whole.slice(before.length) : "";
  }

  /** Nothing more comes; returns what was still held back. */
  end(): string {
    return this.whole === undefined ? this.pieces.end() : "";
  }
}
