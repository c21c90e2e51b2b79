import type { WireName } from "../wires/wire-name.ts";

/** One exchange with a real endpoint, as it is recorded and served again. The file has the same fields. */
export interface RecordedExchange {
  /** Counts the requests of a recording from 1, as they came. */
  readonly order: number;
  readonly wire: WireName;
  readonly method: string;
  /** Path and query as the wire's own server would see them, secrets removed. */
  readonly path: string;
  /** The request's JSON, secrets removed; absent where there was none. */
  readonly body?: unknown;
  readonly answer: RecordedAnswer;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, cut where the network cut it, but never inside a character. */
  readonly pieces: readonly string[];
  /** Present where the body is no text. */
  readonly encoding?: "base64" | undefined;
  /** `broken-off`: the connection died, or the client left, before the end. */
  readonly end: "whole" | "broken-off";
}
