import type { JsonObject } from "@capstan/protocol";

/** A call as some model writes it, and the call it is taken for. */
export interface DialectRow {
  readonly from: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly tool: string;
  readonly becomes: JsonObject;
  /** What the model reads about what was left out. */
  readonly note?: string;
}
