import { maxEncodedKeyCharacters } from "../limits.ts";
import { AnchorFilter } from "./anchor-filter.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import type { Findings, Span } from "./findings.ts";
import type { KeyFormat } from "./key-format.ts";
import { vendorKeys } from "./vendor-keys.ts";

interface Found {
  readonly span: Span | undefined;
  /** The text ends within it. */
  readonly open: boolean;
}

interface Candidates {
  readonly plain: readonly KeyFormat[];
  readonly encoded: readonly KeyFormat[];
}

/** Looks for keys by their form. One serves all: it knows no values. */
class VendorSearch {
  readonly #filter = new AnchorFilter();
  readonly #plain = new Map<string, KeyFormat[]>();
  /** By the base64 of their first three characters. */
  readonly #encoded = new Map<string, KeyFormat[]>();

  constructor(formats: readonly KeyFormat[]) {
    for (const format of formats) {
      for (const anchor of format.anchors) {
        this.#add(this.#plain, anchor, format);
        if (format.inBase64) this.#add(this.#encoded, toBase64(anchor), format);
      }
    }
  }

  find(text: string, from: number): Findings {
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
    map.set(anchor, [...(map.get(anchor) ?? []), format]);
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

/** A run of base64 that says a key. */
function encodedAt(formats: readonly KeyFormat[], text: string, at: number): Found {
  const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/y;
  run.lastIndex = at;
  const found = run.exec(text)?.[0];
  if (found === undefined || found.length > maxEncodedKeyCharacters) return { span: undefined, open: false };
  const said = fromBase64(found);
  const end = at + found.length;
  const open = end === text.length;
  if (!formats.some((format) => wholeAt(format, said, 0) !== undefined)) {
    return { span: undefined, open: open && formats.some((format) => beginsAt(format, said, 0)) };
  }
  return { span: { start: at, end, replacement: "***" }, open };
}

let shared: VendorSearch | undefined;

/** Finds keys of the known vendors, private keys, tokens in headers and passwords in URLs. */
export function findVendorKeys(text: string, from: number): Findings {
  shared ??= new VendorSearch(vendorKeys());
  return shared.find(text, from);
}
