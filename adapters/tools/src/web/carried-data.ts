import type { PageAddress } from "@capstan/ports";
import { maxPackedRun, maxQueryBytes } from "./limits.ts";

/**
 * Why an address may carry something away: what it says goes to whoever serves it.
 * @param redact  takes secrets out
 * @returns the end of a sentence; `undefined`: it looks like any address
 */
export function carriedData({ url, query }: PageAddress, redact: (text: string) => string): string | undefined {
  const decoded = decodedText(url);
  if (redact(url) !== url || redact(decoded) !== decoded) return "the address holds what looks like a secret";
  if (Buffer.byteLength(query) > maxQueryBytes) return `the address sends more than ${maxQueryBytes} bytes`;
  return isPacked(decoded) ? "the address sends packed data" : undefined;
}

/** A long row of base64 or hexadecimal numbers; words with lines between them are none. */
function isPacked(text: string): boolean {
  const runs = text.match(longRun) ?? [];
  return runs.some((run) => {
    if (run.split(/[-_]/).some((piece) => piece.length > maxPackedRun)) return true;
    return [/\d/g, /[A-Z]/g, /[a-z]/g].every((kind) => (run.match(kind)?.length ?? 0) >= mixedLetters);
  });
}

const longRun = new RegExp(`[A-Za-z0-9+=_-]{${maxPackedRun + 1},}`, "g");

/** Of each kind, in what is packed. */
const mixedLetters = 3;

function decodedText(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
