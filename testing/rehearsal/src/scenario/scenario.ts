import type { FinishReason, JsonObject } from "@capstan/protocol";
import type { RecordedExchange } from "./recorded-exchange.ts";

/** A scripted or recorded model, as parsed from one file: defaults filled in, units in the names. */
export interface Scenario {
  readonly name: string;
  readonly description?: string;
  /** The model id answers carry; without it the one that was asked for. */
  readonly model?: string;
  /** Start again after the last turn. */
  readonly loop: boolean;
  /** Refuse requests without a key, as vendors do. */
  readonly requireKey: boolean;
  readonly turns: readonly ScenarioTurn[];
  /** Of a recording, in the order of their requests; absent where nothing was recorded. */
  readonly exchanges?: readonly RecordedExchange[];
}

/** One answer of the scripted model. */
export interface ScenarioTurn {
  readonly thinking: string;
  /** Already repeated `repeat_text` times. */
  readonly text: string;
  readonly toolCalls: readonly ScenarioToolCall[];
  readonly finish: ScenarioFinish;
  readonly usage: ScenarioUsage;
  readonly pace: Pace;
  readonly fault?: Fault;
  readonly expect?: Expectation;
}

/** How an answer is cut into pieces and spread over time. */
export interface Pace {
  /** Bytes per network write, cutting anywhere, inside UTF-8 characters too; without it writes are large. */
  readonly chunkBytes?: number;
  /** Bytes of text per delta; never cuts a character. */
  readonly pieceBytes: number;
  readonly firstByteDelayMs: number;
  /** Between two writes. */
  readonly delayMs: number;
}

export interface ScenarioToolCall {
  readonly name: string;
  /** A raw string is sent as it is, and may be malformed. */
  readonly arguments: JsonObject | string;
  /** Without it the server counts: `toolu_rehearsal_01`, `call_rehearsal_01`. */
  readonly id?: string;
}

export type ScenarioFinish = Exclude<FinishReason, "other">;

/** Tokens. `input` counts everything read, cached parts included; what is missing is estimated from sizes. */
export interface ScenarioUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/**
 * What goes wrong before a turn is served whole; `times` requests meet it. Bytes count the answer's body.
 * - `http`: an error status · `reset`: the connection is reset before any answer
 * - `cut`: the socket is destroyed · `end`: a clean end, too early · `stall`: silence, the connection stays open
 * - `garbage`: broken bytes in between, then the rest · `error-event`: the wire's own error event, at the next event border, then the end
 */
export type Fault =
  | {
      readonly type: "http";
      readonly times: number;
      readonly status: number;
      readonly retryAfterMs?: number;
      readonly retryAfter?: string;
      readonly message?: string;
    }
  | { readonly type: "cut" | "end" | "stall" | "garbage"; readonly times: number; readonly afterBytes: number }
  | { readonly type: "error-event"; readonly times: number; readonly afterBytes: number; readonly kind?: string }
  | { readonly type: "reset"; readonly times: number };

/** What the request that asks for a turn must hold; otherwise it is refused and the turn stays unplayed. */
export interface Expectation {
  /** Matches the text of the last user message. */
  readonly lastUserText?: RegExp;
  /** Of the last batch of tool results, all of them, in order. */
  readonly toolResults?: readonly ExpectedResult[];
  /** Names that must be offered, among others. */
  readonly tools?: readonly string[];
}

export interface ExpectedResult {
  readonly name?: string;
  /** Compared on wires that carry it (Chat Completions does not). */
  readonly isError?: boolean;
  readonly contains?: string;
}
