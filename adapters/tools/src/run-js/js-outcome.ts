/** How code ended, by Pulse's names. */
export type JsOutcome =
  | { readonly type: "value"; readonly printed: string; readonly value: string; readonly isCut: boolean }
  | {
      readonly type: "TIMEOUT" | "OOM" | "RUNTIME_ERROR" | "INTERNAL";
      readonly printed: string;
      readonly message: string;
    };

export interface JsRequest {
  readonly code: string;
  readonly limitMs: number;
}
