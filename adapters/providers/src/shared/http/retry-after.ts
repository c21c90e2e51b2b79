import type { IncomingHttpHeaders } from "node:http";

/**
 * How long the vendor asks to wait, in ms; `undefined` when it does not say so or says nonsense.
 * @param now  ms since 1970, for a date when the answer carries no date of its own
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number): number | undefined {
  const exact = duration(headers["retry-after-ms"], 1);
  if (exact !== undefined) return exact;
  const hint = headers["retry-after"];
  if (hint === undefined) return undefined;
  const seconds = duration(hint, 1000);
  if (seconds !== undefined) return seconds;
  // `Date.parse` finds dates in almost anything; an HTTP date begins with its weekday.
  const until = /^\s*[A-Za-z]{3}/.test(hint) ? Date.parse(hint) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const answered = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(answered) ? now : answered));
}

/** The wait that a message names in words, as OpenAI's do (`Please try again in 1.2s`), in ms. */
export function waitInWords(message: string): number | undefined {
  const [, count, unit = ""] =
    /\b(?:try again|retry) in (\d+(?:\.\d+)?) ?(ms|milliseconds?|s|seconds?|m|minutes?)\b/i.exec(message) ?? [];
  if (count === undefined) return undefined;
  const unitMs = /^m(?:s|illi)/i.test(unit) ? 1 : /^m/i.test(unit) ? 60_000 : 1000;
  return sayableMs(Math.ceil(Number(count) * unitMs));
}

function duration(header: string | readonly string[] | undefined, unitMs: number): number | undefined {
  const text = typeof header === "string" ? header.trim() : header?.[0]?.trim();
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined;
  return sayableMs(Math.round(Number(text) * unitMs));
}

/** Hundreds of digits are no wait: a journal could not hold it. */
export function sayableMs(ms: number): number | undefined {
  return Number.isSafeInteger(ms) ? ms : undefined;
}
