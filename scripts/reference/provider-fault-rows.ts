import type { TurnOutcome } from "@capstan/protocol";

/** A wire by the name of its built-in provider. */
export type FaultVendor = "anthropic" | "openai" | "openai-chat" | "google";

/** One thing that goes wrong at a vendor or on the way, and what comes of it. `test/four-wires/faults` shows each row. */
export interface FaultRow {
  /** Names the row in the tests. */
  readonly id: string;
  readonly what: string;
  /** The wires on which it happens; without it all of them. */
  readonly on?: readonly FaultVendor[];
  /** `as asked`: after the wait that the vendor asks for · `–`: nothing fails. */
  readonly retried: "yes" | "as asked" | "no" | "–";
  /** How the attempt failed; absent where nothing fails. */
  readonly code?: string;
  /** What the user reads of it, after the provider's name; for what does not fail: what the answer is. */
  readonly shown: string;
  /** When it stays so. */
  readonly outcome: TurnOutcome;
}

const http = { code: "provider.http", outcome: "provider-failed" } as const;
const stream = { code: "provider.stream", outcome: "provider-failed" } as const;
const protocol = { code: "provider.protocol", outcome: "provider-failed" } as const;
const timeout = { code: "provider.timeout", outcome: "provider-failed" } as const;
const auth = { code: "provider.auth", outcome: "provider-failed", retried: "no" } as const;
const context = { code: "provider.context", outcome: "provider-failed", retried: "no" } as const;
const harmless = { retried: "–", outcome: "done", shown: "the answer, as if nothing had been" } as const;

const refusals: readonly FaultRow[] = [
  { id: "429-retry-after", what: "429 with `retry-after`", ...http, retried: "as asked", shown: "answered 429" },
  { id: "429-retry-after-ms", what: "429 with `retry-after-ms`", ...http, retried: "as asked", shown: "answered 429" },
  {
    id: "429-retry-info",
    what: "429 with a `RetryInfo` in its body",
    on: ["google"],
    ...http,
    retried: "as asked",
    shown: "answered 429",
  },
  { id: "429-plain", what: "429 without a hint", ...http, retried: "yes", shown: "answered 429" },
  {
    id: "429-too-long",
    what: "429 with a hint longer than `retry.max_retry_after_seconds`",
    ...http,
    retried: "no",
    shown: "answered 429",
  },
  {
    id: "429-empty-account",
    what: "429, because the account or the day's quota is used up",
    on: ["openai", "openai-chat", "google"],
    ...http,
    retried: "no",
    shown: "answered 429",
  },
  { id: "500", what: "500", ...http, retried: "yes", shown: "answered 500" },
  {
    id: "503-page",
    what: "503 with a proxy's page",
    ...http,
    retried: "yes",
    shown: "answered 503: Service Unavailable",
  },
  { id: "529", what: "529, overloaded", ...http, retried: "yes", shown: "answered 529" },
  { id: "401", what: "401: no key, or a wrong one", ...auth, shown: "answered 401" },
  { id: "403", what: "403: a key without the right", ...auth, shown: "answered 403" },
  {
    id: "400-key",
    what: "400, because the key is wrong",
    on: ["google"],
    ...auth,
    shown: "answered 400: API key not valid",
  },
  { id: "400", what: "400: a request the vendor does not take", ...http, retried: "no", shown: "answered 400" },
  {
    id: "400-context",
    what: "400: the conversation is longer than the model's window, and cannot be made shorter",
    ...context,
    shown: "answered 400: prompt is too long",
  },
  { id: "404", what: "404: an unknown model, or a wrong base URL", ...http, retried: "no", shown: "answered 404" },
  { id: "413", what: "413: the request is too large, and cannot be made smaller", ...context, shown: "answered 413" },
  { id: "307", what: "a redirect", ...http, retried: "no", shown: "which is not followed" },
];

const network = {
  code: "provider.network",
  outcome: "provider-failed",
  retried: "yes",
  shown: "cannot reach",
} as const;

const connections: readonly FaultRow[] = [
  { id: "refused", what: "the connection is refused", ...network },
  { id: "reset", what: "a reset before the answer", ...network },
  {
    id: "reset-midway",
    what: "a reset in the middle of the answer",
    ...stream,
    retried: "yes",
    shown: "the connection broke in the middle of the answer",
  },
  { id: "stall", what: "silence before the first byte", ...timeout, retried: "yes", shown: "no answer within" },
  { id: "stall-head", what: "silence after the head", ...timeout, retried: "yes", shown: "no answer within" },
  {
    id: "stall-midway",
    what: "silence in the middle of the answer",
    ...timeout,
    retried: "yes",
    shown: "nothing more arrived for",
  },
];

const events: readonly FaultRow[] = [
  { id: "cut", what: "a clean end, too early", ...stream, retried: "yes", shown: "the answer broke off" },
  { id: "cut-event", what: "the last event is cut short", ...stream, retried: "yes", shown: "the answer broke off" },
  { id: "cut-line", what: "the blank line after the last event is missing", ...harmless },
  {
    id: "delta-twice",
    what: "a piece of text twice",
    on: ["anthropic", "openai-chat", "google"],
    ...harmless,
    shown: "the piece twice: nothing distinguishes it from words that are repeated",
  },
  {
    id: "delta-twice-settled",
    what: "a piece of text twice",
    on: ["openai"],
    ...harmless,
    shown: "the text as the vendor says it at its end",
  },
  {
    id: "start-changed",
    what: "a second, other `message_start`",
    on: ["anthropic"],
    ...protocol,
    retried: "yes",
    shown: "a second message_start",
  },
  {
    id: "start-twice",
    what: "the opening event twice, word for word",
    on: ["anthropic", "openai", "openai-chat"],
    ...harmless,
  },
  { id: "end-twice", what: "the closing event twice", ...harmless },
  { id: "no-json", what: "an event that is not JSON", ...protocol, retried: "yes", shown: "an event is not JSON" },
  { id: "nul", what: "a NUL inside an event", ...protocol, retried: "yes", shown: "an event is not JSON" },
  { id: "comments", what: "comments and unknown fields between events", ...harmless },
  { id: "blank", what: "events without data, or with blank data", ...harmless },
  {
    id: "unknown-event",
    what: "an event of an unknown kind",
    ...harmless,
    shown: "the answer, and a notice `provider.unknown-event`",
  },
  { id: "bom", what: "a byte order mark at the beginning", ...harmless },
  { id: "crlf", what: "lines that end in CR LF", ...harmless },
  {
    id: "bad-utf8",
    what: "bytes that are no UTF-8 in a text",
    ...harmless,
    shown: "the answer, with U+FFFD in their place",
  },
  {
    id: "error-first",
    what: "an error event that may pass (overloaded), before any text",
    ...stream,
    retried: "yes",
    shown: "the answer ended with an error",
  },
  {
    id: "error-later",
    what: "an error event that may pass, after visible text",
    ...stream,
    retried: "yes",
    shown: "the answer ended with an error",
  },
  {
    id: "error-line",
    what: "a line `error:` in the stream, with the words of the failure",
    ...stream,
    retried: "yes",
    shown: "the answer ended with an error: slot lost",
  },
  {
    id: "error-final",
    what: "an error event that will not pass (an invalid request)",
    ...stream,
    retried: "no",
    shown: "the answer ended with an error",
  },
];

const bodies: readonly FaultRow[] = [
  {
    id: "page",
    what: "200 with a page",
    ...protocol,
    retried: "no",
    shown: "answered with text/html; charset=utf-8 in place of an event stream",
  },
  {
    id: "wrong-type",
    what: "200 with the right events as `text/plain`",
    ...protocol,
    retried: "no",
    shown: "answered with text/plain in place of an event stream",
  },
  {
    id: "json-error",
    what: "200 with a JSON error that may pass",
    ...stream,
    retried: "yes",
    shown: "the answer ended with an error",
  },
  {
    id: "json-nonsense",
    what: "200 with JSON that is no answer",
    ...protocol,
    retried: "no",
    shown: "answered with JSON that is no message",
  },
  { id: "json-whole", what: "200 with the whole answer as one JSON document", ...harmless },
  { id: "empty", what: "200 with an empty stream", ...stream, retried: "yes", shown: "the answer" },
  {
    id: "empty-json",
    what: "200 with an empty JSON body",
    ...protocol,
    retried: "no",
    shown: "answered with JSON that cannot be read",
  },
  { id: "no-type", what: "200 without a content type", ...harmless },
  { id: "gzip", what: "a body compressed with gzip, though nothing was asked for", ...harmless },
  { id: "deflate", what: "the same with deflate", ...harmless },
  { id: "br", what: "the same with brotli", ...harmless },
  {
    id: "zstd",
    what: "the same with an encoding that cannot be read",
    ...protocol,
    retried: "no",
    shown: "answered in the encoding zstd, which was not asked for",
  },
  {
    id: "gzip-broken",
    what: "a compressed body that breaks off",
    ...stream,
    retried: "yes",
    shown: "the connection broke in the middle of the answer",
  },
];

const sizes: readonly FaultRow[] = [
  {
    id: "large-argument",
    what: "an argument of 10 MB in one event",
    ...harmless,
    shown: "the call is answered as too large, and the turn continues",
  },
  {
    id: "large-argument-pieces",
    what: "an argument of 10 MB in pieces of 40 bytes",
    on: ["anthropic", "openai", "openai-chat"],
    ...harmless,
    shown: "the call is answered as too large, and the turn continues",
  },
];

const absences: readonly FaultRow[] = [
  {
    id: "left-alone",
    what: "`retry.breaker_failures` failures in a row: the provider is not asked for a while",
    code: "provider.unavailable",
    outcome: "provider-failed",
    retried: "as asked",
    shown: "times in a row; the next try is in",
  },
  {
    id: "another-model",
    what: "the last attempt failed, and `app.model_fallbacks` names another model",
    ...harmless,
    shown: "the other model's answer, and a notice `provider.fallback`",
  },
];

/** Every row, under the heading it belongs to. */
export const faultRows: Readonly<Record<string, readonly FaultRow[]>> = {
  "The vendor refuses": refusals,
  "The connection fails": connections,
  "The stream is odd": events,
  "The body is another": bodies,
  "The answer is huge": sizes,
  "The provider stays away": absences,
};
