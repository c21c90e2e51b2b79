import type { IncomingHttpHeaders } from "node:http";
import type { RateLimit } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { sayableMs } from "./retry-after.ts";

/**
 * What an answer's head says about the vendor's limits, in the forms of Anthropic (`anthropic-ratelimit-requests-remaining`, reset as a
 * date), OpenAI and its many followers (`x-ratelimit-remaining-requests`, reset as `6m0s`) and gateways (`x-ratelimit-remaining`,
 * `ratelimit-remaining`; reset in seconds or as a moment). What cannot be read is left out.
 * @param now  ms since 1970, for a reset that is a moment when the answer carries no date of its own
 */
export function readRateLimits(headers: IncomingHttpHeaders, now: number): readonly RateLimit[] {
  const answered = Date.parse(headers.date ?? "");
  const base = Number.isNaN(answered) ? now : answered;
  const found: RateLimit[] = [];
  for (const header of Object.keys(headers)) {
    const family = families.find(({ remaining }) => remaining.test(header));
    if (family === undefined || found.length >= limits.rateLimits) continue;
    const name = family.remaining.exec(header)?.[1] ?? "requests";
    const remaining = countIn(headers[header]);
    const resetsInMs = sayableMs(durationIn(textIn(headers[family.sibling(header, "reset")]), base));
    // A negative count is how some gateways say that they do not count.
    if (remaining === undefined || remaining < 0 || resetsInMs === undefined) continue;
    const allowed = countIn(headers[family.sibling(header, "limit")]);
    found.push({ name, remaining, ...(allowed === undefined ? {} : { allowed }), resetsInMs });
  }
  return found;
}

/** How long until every limit that is used up is whole again, in ms; `undefined` when none is. */
export function usedUpMs(found: readonly RateLimit[]): number | undefined {
  const waits = found.filter((limit) => limit.remaining <= 0).map((limit) => limit.resetsInMs);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

interface Family {
  /** The header that says what remains; its first group is the limit's name. */
  readonly remaining: RegExp;
  /** The header beside it. */
  sibling(header: string, what: "reset" | "limit"): string;
}

const families: readonly Family[] = [
  {
    remaining: /^anthropic-(?:[a-z]+-)?ratelimit-([a-z-]+)-remaining$/,
    sibling: (header, what) => header.replace(/remaining$/, what),
  },
  {
    remaining: /^x-ratelimit-remaining-([a-z-]+)$/,
    sibling: (header, what) => header.replace("remaining", what),
  },
  { remaining: /^(?:x-)?ratelimit-remaining$/, sibling: (header, what) => header.replace("remaining", what) },
];

function textIn(header: string | readonly string[] | undefined): string {
  return (typeof header === "string" ? header : (header?.[0] ?? "")).trim();
}

function countIn(header: string | readonly string[] | undefined): number | undefined {
  const text = textIn(header);
  const count = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(count) ? count : undefined;
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Larger numbers are no seconds to wait but a moment: in seconds, or, larger still, in ms since 1970. */
const firstMomentSeconds = 1_000_000_000;
const firstMomentMs = 1_000_000_000_000;

/** Reads `1m2.5s`, `17ms`, seconds, or a moment in any of its usual forms; NaN: it is none of them. */
function durationIn(text: string, base: number): number {
  if (/^\d+(\.\d+)?$/.test(text)) return fromNumber(Number(text), base);
  const pieces = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (pieces.length > 0 && pieces.map(([whole]) => whole).join("") === text) {
    return Math.round(pieces.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ""] ?? 0), 0));
  }
  const moment = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  return Math.max(0, moment - base);
}

function fromNumber(value: number, base: number): number {
  if (value >= firstMomentMs) return Math.max(0, value - base);
  if (value >= firstMomentSeconds) return Math.max(0, value * 1000 - base);
  return Math.round(value * 1000);
}
