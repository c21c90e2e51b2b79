import type { EffectClass, JsonObject, JsonValue, Workspace } from "@capstan/protocol";

/**
 * A tool of the program that embeds the engine.
 *
 * Contract:
 * - `effect` decides who is asked: a `read` runs like our own reading tools, `write` and `execute` are judged by rules and mode.
 *   The program answers for what it says: `read` means that nothing changes, anywhere.
 * - `execute` gets arguments that fit the schema, runs once per call that was allowed, and stops when `signal` aborts. What it
 *   throws is a failure that the model is shown in the error's words.
 * - Where `outputSchema` says what `details` are, a result without them, or with others, is a failure that the model is informed of. What it did stays done.
 * - A crash while it ran leaves the call in doubt: nobody runs it again without being asked.
 */
export interface ProgramTool {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** A JSON Schema (2020-12) of type object. */
  readonly inputSchema: JsonObject;
  /** A JSON Schema (2020-12) of the result's `details`. */
  readonly outputSchema?: JsonObject;
  readonly effect: Exclude<EffectClass, "session">;
  execute(args: JsonObject, context: ProgramToolContext): Promise<string | ProgramToolResult>;
}

export interface ProgramToolContext {
  readonly callId: string;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Shows the user how far the call is; the model reads the result only. */
  readonly report: (text: string) => void;
}

/** `content` is what the model reads; `details` what programs read. */
export interface ProgramToolResult {
  readonly content: string;
  readonly details?: JsonValue;
  readonly failed?: boolean;
}
