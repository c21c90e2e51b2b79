import { minSecretCharacters } from "../limits.ts";
import { AnchorFilter } from "./anchor-filter.ts";
import { base64Forms } from "./base64.ts";
import { type Findings, joinFindings, type Span } from "./findings.ts";
import { type Escapes, unfinished, viewText } from "./text-view.ts";

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

  /** Looks from `from` on, in the text as it stands and with its escapes resolved. */
  find(text: string, from: number): Findings {
    if (this.#forms.size === 0) return { spans: [], openFrom: text.length };
    const start = outsideEscape(text, from);
    const { spans, openFrom } = joinFindings(
      this.#findIn(text, from, "none"),
      joinFindings(this.#findIn(text, start, "percent"), this.#findIn(text, start, "backslash")),
    );
    return { spans, openFrom: outsideEscape(text, openFrom) };
  }

  #findIn(original: string, from: number, escapes: Escapes): Findings {
    const view = viewText(original, from, escapes);
    if (view === undefined) return { spans: [], openFrom: original.length };
    const { text } = view;
    const spans: Span[] = [];
    let openFrom = this.#openEnd(original, from, escapes);
    const open = (at: number): void => {
      openFrom = Math.min(openFrom, view.startOf(at));
    };
    for (let at = this.#filter.next(text, 0); at !== -1;) {
      const { whole, begun } = this.#formAt(text, at);
      if (begun) open(at);
      if (whole > 0) spans.push({ start: view.startOf(at), end: view.endOf(at + whole - 1), replacement: "***" });
      at = this.#filter.next(text, at + Math.max(1, whole));
    }
    const end = text.length;
    for (const at of [end - 2, end - 1]) if (at >= 0 && this.#beginnings.has(text.slice(at))) open(at);
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

  /** An escape that is cut may be a value's first character. */
  #openEnd(original: string, from: number, escapes: Escapes): number {
    const tail = Math.max(from, original.length - 8);
    const cut = unfinished[escapes]?.exec(original.slice(tail));
    return cut === null || cut === undefined ? original.length : tail + cut.index;
  }
}

/** The same place, or where the escape begins that it may be in the middle of: half of one reads as something else. */
function outsideEscape(text: string, place: number): number {
  const before = text.slice(Math.max(0, place - escapeCharacters), place);
  return place - (/(?:%[0-9A-Fa-f]?|\\+(?:u[0-9A-Fa-f]{0,3})?)$/.exec(before)?.[0].length ?? 0);
}

/** Characters before a place in which the escape it belongs to begins; backslashes may stand in a row. */
const escapeCharacters = 64;

/** A value as it may stand in a text; without line ends, which no search sees. */
function formsOf(value: string): readonly string[] {
  const plain = value.trim();
  if (plain.length < minSecretCharacters) return [];
  const bytes = utf8(plain);
  const base64 = base64Forms(bytes);
  const urlBase64 = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = Array.from(bytes)
    .map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"))
    .join("");
  const escapedTwice = JSON.stringify(JSON.stringify(plain).slice(1, -1)).slice(1, -1);
  return [plain, bytes, ...base64, ...urlBase64, hex, hex.toUpperCase(), escapedTwice]
    .map((form) => form.replace(/[\r\n]+[ \t]*/g, ""))
    .filter((form) => form.length >= minSecretCharacters);
}

/** The UTF-8 bytes of a text, one character each. */
function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
