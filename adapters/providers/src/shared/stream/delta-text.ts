import { limits } from "../../limits.ts";
import { compact } from "./compact.ts";
import { wellFormed } from "../well-formed.ts";

/**
 * A text that arrives in pieces. Some servers cut between the two halves of a character outside the basic plane, as JSON
 * escapes; a half waits for the other, so that every piece handed on is well-formed and the pieces joined are the text.
 */
export class DeltaText {
  private whole = "";
  private recent = "";
  private half = "";

  get text(): string {
    return this.whole + this.recent;
  }

  /** Takes the next piece; returns what can be shown of it. */
  add(piece: string): string {
    let joined = this.half === "" ? piece : this.half + piece;
    this.half = "";
    if (isFirstHalf(joined.charCodeAt(joined.length - 1))) {
      this.half = joined.slice(-1);
      joined = joined.slice(0, -1);
    }
    const clean = wellFormed(joined);
    this.keep(clean);
    return clean;
  }

  /** No more pieces come; returns what was still held back. */
  end(): string {
    if (this.half === "") return "";
    this.half = "";
    this.keep("\ufffd");
    return "\ufffd";
  }

  private keep(clean: string): void {
    this.recent += clean;
    if (this.recent.length < limits.looseChars) return;
    this.whole += compact(this.recent);
    this.recent = "";
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
