import type { JsonObject } from "@capstan/protocol";

/**
 * A hook of the program that embeds the engine: a function in its own process.
 *
 * Contract:
 * - `run` reads what a program that is a hook reads from its standard input, as an object, and answers with what such a program writes: an
 *   object of the known fields, words for the model, or nothing. What the moment does not take is left out.
 * - What it throws at a moment that can be refused refuses it, in the error's words; elsewhere it changes nothing.
 * - It stops when `signal` aborts: the turn ended, or its time. Its answer counts no more then.
 */
export interface ProgramHook {
  /** A moment, by any of its names (docs/reference/hooks.md). */
  readonly event: string;
  /** What it is asked about, as in the configuration; without it everything. */
  readonly matcher?: string;
  /** For people; where it stands among the program's hooks when left out. */
  readonly name?: string;
  /** ms; as long as hooks of the configuration have when left out. */
  readonly timeoutMs?: number;
  run(input: JsonObject, context: { readonly signal: AbortSignal }): ProgramHookAnswer | Promise<ProgramHookAnswer>;
}

export type ProgramHookAnswer = JsonObject | string | undefined | void;
