import { minSecretCharacters } from "../limits.ts";
import { AnchorFilter } from "./anchor-filter.ts";
import { base64Forms } from "./base64.ts";
import { type Findings, joinFindings, type Span } from "./findings.ts";
import { joinedView, outsideEscapes, readingsOf } from "./readings.ts";
import type { TextView } from "./text-view.ts";

/** Values that must never leave, in every form in which they are looked for. */
export class KnownValues {
  readonly #filter = new AnchorFilter();
  /** By their first three characters, longest first. */
  readonly #forms = new Map<string, string[]>();
  /** First characters and first two characters: what a text's end may begin. */
  readonly #beginnings = new Set<string>();

  /** @param values  those shorter than `minSecretCharacters` are left out */
  constructor(values: readonly string[]) {
    const forms = new Set(values.flatMap((value) => formsOf(value)));
    for (const form of [...forms].toSorted((a, b) => b.length - a.length)) {
      const anchor = form.slice(0, 3);
      this.#filter.add(anchor);
      this.#forms.set(anchor, [...(this.#forms.get(anchor) ?? []), form]);
      this.#beginnings.add(form.slice(0, 1)).add(form.slice(0, 2));
    }
  }

  /** Looks from `from` on, in the text as it stands and in every other way it can be read. */
  find(text: string, from: number, plain: boolean): Findings {
    if (this.#forms.size === 0) return { spans: [], openFrom: text.length };
    const views = [joinedView(text, from), ...readingsOf(text, { from, lines: "joined", plain })];
    const { spans, openFrom } = views
      .map((view) => this.#findIn(view, text))
      .reduce((first, second) => joinFindings(first, second));
    return { spans, openFrom: outsideEscapes(text, openFrom, plain) };
  }

  #findIn(view: TextView, source: string): Findings {
    const { text } = view;
    const spans: Span[] = [];
    let { openFrom } = view;
    // A value is cut by a line end behind its third character at the earliest: else the end of nearly every line would be held back.
    const isBroken = (from: number, to: number): boolean => /[\r\n]/.test(source.slice(from, to));
    const open = (at: number): void => {
      openFrom = Math.min(openFrom, view.startOf(at));
    };
    for (let at = this.#filter.next(text, 0); at !== -1;) {
      const { whole, begun } = isBroken(view.startOf(at), view.startOf(at + 2)) ? none : this.#formAt(text, at);
      if (begun) open(at);
      if (whole > 0) spans.push({ start: view.startOf(at), end: view.endOf(at + whole - 1), replacement: "***" });
      at = this.#filter.next(text, at + Math.max(1, whole));
    }
    const end = text.length;
    for (const at of [end - 2, end - 1])
      if (at >= 0 && this.#beginnings.has(text.slice(at)) && !isBroken(view.startOf(at), source.length)) open(at);
    return { spans, openFrom };
  }

  /** How long the longest value is that stands there, and whether the text ends within one that is longer. */
  #formAt(text: string, at: number): { readonly whole: number; readonly begun: boolean } {
    let begun = false;
    for (const form of this.#forms.get(text.slice(at, at + 3)) ?? []) {
      if (text.startsWith(form, at)) return { whole: form.length, begun };
      if (at + form.length > text.length && form.startsWith(text.slice(at))) begun = true;
    }
    return { whole: 0, begun };
  }
}

const none = { whole: 0, begun: false } as const;

/** A value as it may stand in a text; without line ends, which no search sees. */
function formsOf(value: string): readonly string[] {
  const plain = value.trim();
  if (plain.length < minSecretCharacters) return [];
  const bytes = utf8(plain);
  const littleEndian = utf16(plain, (low, high) => [low, high]);
  const bigEndian = utf16(plain, (low, high) => [high, low]);
  const base64 = [bytes, littleEndian, bigEndian].flatMap((form) => base64Forms(form));
  const base64Twice = base64Forms(bytes).flatMap((form) => base64Forms(form));
  const encoded = [...base64, ...base64Twice];
  const urlEncoded = encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = [bytes, littleEndian, bigEndian].map(hexOf);
  const escapedTwice = JSON.stringify(JSON.stringify(plain).slice(1, -1)).slice(1, -1);
  return [plain, bytes, ...encoded, ...urlEncoded, ...hex, ...hex.map((form) => form.toUpperCase()), escapedTwice]
    .map((form) => form.replace(/[\r\n]+[ \t]*/g, ""))
    .filter((form) => form.length >= minSecretCharacters);
}

function hexOf(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** The UTF-16 bytes of a text, one character each. */
function utf16(text: string, order: (low: number, high: number) => readonly number[]): string {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .flatMap((unit) => order(unit & 0xff, unit >> 8))
    .map((byte) => String.fromCharCode(byte))
    .join("");
}

/** The UTF-8 bytes of a text, one character each. */
function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
