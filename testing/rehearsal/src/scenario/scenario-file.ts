import type { JsonObject } from "@capstan/protocol";
import type { RecordedExchange } from "./recorded-exchange.ts";
import type { ScenarioFinish } from "./scenario.ts";

/** A scenario file as written: snake_case, optional fields missing. */
export interface ScenarioFile {
  readonly name: string;
  readonly description?: string | undefined;
  readonly model?: string | undefined;
  readonly loop?: boolean | undefined;
  readonly require_key?: boolean | undefined;
  readonly defaults?: PaceFile | undefined;
  readonly turns: readonly TurnFile[];
  readonly exchanges?: readonly RecordedExchange[] | undefined;
}

export interface PaceFile {
  readonly chunk_bytes?: number | undefined;
  readonly piece_bytes?: number | undefined;
  readonly first_byte_delay_ms?: number | undefined;
  readonly delay_ms?: number | undefined;
}

export interface TurnFile extends PaceFile {
  readonly thinking?: string | undefined;
  readonly text?: string | undefined;
  readonly repeat_text?: number | undefined;
  readonly tool_calls?:
    | readonly { readonly name: string; readonly arguments: JsonObject | string; readonly id?: string | undefined }[]
    | undefined;
  readonly finish?: ScenarioFinish | undefined;
  readonly usage?: UsageFile | undefined;
  readonly fault?: FaultFile | undefined;
  readonly expect?: ExpectationFile | undefined;
}

export interface UsageFile {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cached?: number | undefined;
  readonly cache_write?: number | undefined;
  readonly reasoning?: number | undefined;
}

export type FaultFile = { readonly times?: number | undefined } & (
  | {
      readonly type: "http";
      readonly status: number;
      readonly retry_after_ms?: number | undefined;
      readonly retry_after?: string | undefined;
      readonly message?: string | undefined;
    }
  | { readonly type: "cut" | "end" | "stall" | "garbage"; readonly after_bytes: number }
  | { readonly type: "error-event"; readonly after_bytes?: number | undefined; readonly kind?: string | undefined }
  | { readonly type: "reset" }
);

export interface ExpectationFile {
  readonly last_user_text?: string | undefined;
  readonly tool_results?: readonly ExpectedResultFile[] | undefined;
  readonly tools?: readonly string[] | undefined;
}

export interface ExpectedResultFile {
  readonly name?: string | undefined;
  readonly is_error?: boolean | undefined;
  readonly contains?: string | undefined;
}
