import { maxEncodedKeyCharacters } from "../limits.ts";
import { AnchorFilter } from "./anchor-filter.ts";
import { type Encoding, encodings } from "./encodings.ts";
import { type Findings, joinFindings, type Span } from "./findings.ts";
import type { KeyFormat } from "./key-format.ts";
import { outsideEscapes, readingsOf } from "./readings.ts";
import type { TextView } from "./text-view.ts";
import { vendorKeys } from "./vendor-keys.ts";

interface Found {
  readonly span: Span | undefined;
  /** The text ends within it. */
  readonly open: boolean;
}

interface Candidates {
  readonly plain: readonly KeyFormat[];
  readonly encoded: readonly EncodedFormat[];
}

interface EncodedFormat {
  readonly encoding: Encoding;
  readonly format: KeyFormat;
}

/** Looks for keys by their form. One serves all: it knows no values. */
class VendorSearch {
  readonly #filter = new AnchorFilter();
  /** First characters of what is looked for, one to three: what the end of a text may begin. */
  readonly #beginnings = new Set<string>();
  readonly #plain = new Map<string, KeyFormat[]>();
  /** By the first four characters of what they are encoded as. */
  readonly #encoded = new Map<string, EncodedFormat[]>();

  constructor(formats: readonly KeyFormat[]) {
    for (const format of formats) {
      for (const anchor of format.anchors) {
        this.#add(this.#plain, anchor, format);
        if (format.inBase64) for (const encoding of encodings) this.#addEncoded(anchor, { encoding, format });
      }
    }
  }

  /** Looks from `from` on, in the text as it stands and in every other way it can be read. */
  find(text: string, from: number, plain: boolean): Findings {
    const views = readingsOf(text, { from: Math.max(0, from - lookBack), lines: "kept", plain });
    const { spans, openFrom } = views
      .map((view) => this.#findInView(view, from))
      .reduce((first, second) => joinFindings(first, second), this.#findIn(text, from));
    return { spans, openFrom: outsideEscapes(text, openFrom, plain) };
  }

  #findInView(view: TextView, from: number): Findings {
    const { text } = view;
    const { spans, openFrom } = this.#findIn(text, 0);
    // Two characters of a view may be many of the text: what begins in them is not passed on.
    const tail = [2, 1]
      .map((count) => text.length - count)
      .find((at) => at >= 0 && this.#beginnings.has(text.slice(at)));
    const open = Math.min(openFrom, tail ?? text.length);
    return {
      spans: spans
        .map((span) => ({ ...span, start: view.startOf(span.start), end: view.endOf(span.end - 1) }))
        // What begins before was looked at before, but for lines that came in pieces.
        .filter(({ start, end }) => start >= from || (view.hasWholeLines && end > from)),
      openFrom: open < text.length ? Math.min(view.openFrom, view.startOf(open)) : view.openFrom,
    };
  }

  #findIn(text: string, from: number): Findings {
    const spans: Span[] = [];
    let openFrom = text.length;
    for (let at = this.#filter.next(text, from); at !== -1;) {
      const { span, open } = this.#lookAt(text, at);
      if (open) openFrom = Math.min(openFrom, at);
      if (span !== undefined) spans.push(span);
      at = this.#filter.next(text, span === undefined ? at + 1 : span.end);
    }
    return { spans, openFrom };
  }

  #add(map: Map<string, KeyFormat[]>, anchor: string, format: KeyFormat): void {
    this.#filter.add(anchor);
    this.#beginnings.add(anchor.slice(0, 1)).add(anchor.slice(0, 2));
    map.set(anchor, [...(map.get(anchor) ?? []), format]);
  }

  #addEncoded(anchor: string, found: EncodedFormat): void {
    const beginning = found.encoding.beginning(anchor);
    this.#filter.add(beginning);
    this.#beginnings.add(beginning.slice(0, 1)).add(beginning.slice(0, 2)).add(beginning.slice(0, 3));
    this.#encoded.set(beginning, [...(this.#encoded.get(beginning) ?? []), found]);
  }

  #lookAt(text: string, at: number): Found {
    const { plain, encoded } = this.#candidates(text, at);
    let begun = false;
    let longest: Span | undefined;
    for (const format of plain) {
      const span = wholeAt(format, text, at);
      if (span !== undefined && span.end > (longest?.end ?? 0)) longest = span;
      begun ||= beginsAt(format, text, at);
    }
    if (longest !== undefined) return { span: longest, open: begun || longest.end === text.length };
    begun ||= at + 3 === text.length && this.#beginnings.has(text.slice(at));
    return begun || encoded.length === 0 ? { span: undefined, open: begun } : encodedAt(encoded, text, at);
  }

  #candidates(text: string, at: number): Candidates {
    return {
      plain: this.#plain.get(text.slice(at, at + 3)) ?? [],
      encoded: this.#encoded.get(text.slice(at, at + 4)) ?? [],
    };
  }
}

function wholeAt({ whole }: KeyFormat, text: string, at: number): Span | undefined {
  whole.lastIndex = at;
  const found = whole.exec(text);
  if (found === null) return undefined;
  return { start: at, end: at + found[0].length, replacement: `${found[1] ?? ""}***${found[2] ?? ""}` };
}

function beginsAt({ begun }: KeyFormat, text: string, at: number): boolean {
  begun.lastIndex = at;
  return begun.test(text);
}

/** A run of letters and digits that says a key. */
function encodedAt(candidates: readonly EncodedFormat[], text: string, at: number): Found {
  const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{4,}={0,2}/y;
  run.lastIndex = at;
  const found = run.exec(text)?.[0];
  if (found === undefined || found.length > maxEncodedKeyCharacters) return { span: undefined, open: false };
  const end = at + found.length;
  const open = end === text.length;
  if (found.length < minEncodedKeyCharacters && !open) return { span: undefined, open };
  const said = candidates.map(({ encoding, format }) => ({ format, text: encoding.read(found) }));
  if (said.some((each) => wholeAt(each.format, each.text, 0) !== undefined)) {
    return { span: { start: at, end, replacement: "***" }, open };
  }
  return { span: undefined, open: open && said.some((each) => beginsAt(each.format, each.text, 0)) };
}

/** Where the text was cut, a shorter run may still grow. */
const minEncodedKeyCharacters = 16;
/** Characters before a place that say what a key there is part of. */
const lookBack = 32;

let shared: VendorSearch | undefined;

/** Finds keys of the known vendors, private keys, tokens in headers and passwords in URLs. */
export function findVendorKeys(text: string, from: number, plain: boolean): Findings {
  shared ??= new VendorSearch(vendorKeys());
  return shared.find(text, from, plain);
}
