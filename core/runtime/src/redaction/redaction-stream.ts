import { contextCharacters, maxHeldCharacters } from "../limits.ts";
import { type Findings, type Span, withoutSpans } from "./findings.ts";
import { isPlain } from "./readings.ts";

/** @param plain  what {@link isPlain} says of the text */
type Find = (text: string, from: number, plain: boolean) => Findings;

/**
 * Takes secrets out of a text that comes in pieces, also where a secret is cut: as much of the end as could begin one waits for
 * the next piece. All that comes out is the same as if the text had come at once.
 */
export class RedactionStream {
  readonly #find: Find;
  /** The end of what was handed on, which shows what a word is part of. */
  #context = "";
  #contextIsPlain = true;
  /** Where in the context a search may begin: what lies before was part of a secret. */
  #searchFrom = 0;
  #held = "";
  /** The end of a secret that was too long to wait for is still to come. */
  #swallowing = false;
  #foundAny = false;

  constructor(find: Find) {
    this.#find = find;
  }

  /** Whether anything of what was handed on so far was replaced. */
  get foundAny(): boolean {
    return this.#foundAny;
  }

  /** @returns what can be handed on, without its secrets */
  push(piece: string): string {
    const rest = this.#swallowing ? this.#swallow(piece) : piece;
    return rest === "" ? "" : this.#take(this.#held + rest, false);
  }

  /** @returns the rest, when nothing more comes */
  end(): string {
    const rest = this.#take(this.#held, true);
    this.#context = "";
    this.#contextIsPlain = true;
    this.#searchFrom = 0;
    return rest;
  }

  #take(fresh: string, isEnd: boolean): string {
    const before = this.#context.length;
    const text = this.#context + fresh;
    const plain = this.#contextIsPlain && isPlain(fresh);
    const { spans, openFrom } = this.#find(text, Math.max(this.#searchFrom, before - 2), plain);
    const wanted = Math.max(before, openFrom);
    const isLast = isEnd || text.length - wanted > maxHeldCharacters;
    const cut = isLast
      ? text.length
      : spans.reduce((at, { start, end }) => (start < at && end > at ? Math.max(before, start) : at), wanted);
    const closed = spans.filter(({ end }) => end > before && end <= cut);
    const lastEnd = closed.at(-1)?.end ?? 0;
    this.#foundAny ||= closed.length > 0;
    this.#swallowing = !isEnd && isLast && lastEnd === text.length;
    this.#held = text.slice(cut);
    const contextFrom = Math.max(0, cut - contextCharacters);
    this.#context = text.slice(contextFrom, cut);
    this.#contextIsPlain = plain || isPlain(this.#context);
    this.#searchFrom = Math.max(0, Math.max(lastEnd, this.#searchFrom) - contextFrom);
    return withoutSpans(
      text.slice(before, cut),
      closed.map((span) => fromPlace(span, text, before)),
    );
  }

  #swallow(piece: string): string {
    const rest = piece.replace(/^[\w+/=.\\\r\n-]+/, "");
    this.#swallowing = rest === "";
    return rest;
  }
}

/** A span as it is in the text from `place` on: what was handed on of what it shows is not shown again. */
function fromPlace({ start, end, replacement }: Span, text: string, place: number): Span {
  if (start >= place) return { start: start - place, end: end - place, replacement };
  const shown = text.slice(start, place);
  return {
    start: 0,
    end: end - place,
    replacement: replacement.startsWith(shown) ? replacement.slice(shown.length) : replacement,
  };
}
