import { maxRememberedCharacters, maxRememberedTexts } from "./limits.ts";
import { type Findings, joinFindings, withoutSpans } from "./redaction/findings.ts";
import { KnownValues } from "./redaction/known-values.ts";
import { isPlain } from "./redaction/readings.ts";
import { RedactionStream } from "./redaction/redaction-stream.ts";
import { findVendorKeys } from "./redaction/vendor-search.ts";

/** Takes secrets out of a text. */
export interface Redactor {
  (text: string): string;
  /** The same for a text that comes in pieces. */
  stream(): RedactionStream;
}

/**
 * Makes the function that takes secrets out of a text: the given values wherever they occur, also in base64, hex, with escapes
 * or broken over lines; keys of the form that vendors give theirs, private keys, tokens of headers, passwords of URLs. What
 * kind of key it was stays.
 * @param secrets  values that must never leave; short ones are ignored
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  let values: KnownValues | undefined;
  const find = (text: string, from: number, plain: boolean): Findings => {
    values ??= new KnownValues(secrets);
    return joinFindings(values.find(text, from, plain), findVendorKeys(text, from, plain));
  };
  const search = (text: string): string => withoutSpans(text, find(text, 0, isPlain(text)).spans);
  // Names, paths and digests come again with each record: the same text has the same secrets.
  const known = new Map<string, string>();
  const redact = (text: string): string => {
    if (text.length > maxRememberedCharacters) return search(text);
    const shown = known.get(text) ?? search(text);
    if (known.size >= maxRememberedTexts) known.clear();
    known.set(text, shown);
    return shown;
  };
  return Object.assign(redact, { stream: () => new RedactionStream(find) });
}
