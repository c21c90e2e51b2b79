import type { SeededRandom } from "@capstan/testkit";

/** Something a scripted call does to the workspace, once. `id` occurs in the call's arguments and in no other call's. */
export interface PlannedEffect {
  readonly id: string;
  /** Files in which the effect leaves its `id` on a line of its own, relative to the workspace. */
  readonly files: readonly string[];
  /** `main`: the call's own work. `side`: of a background process, which may be ended before it comes to it. `hook`: of a hook that is asked about it. */
  readonly kind: "main" | "side" | "hook";
}

/** A scripted turn: what the workspace holds before, what the model says, and what that does. */
export interface Script {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** As in a scenario file of the rehearsal server. */
  readonly turns: readonly object[];
  readonly effects: readonly PlannedEffect[];
  /** Of `capstan run`. */
  readonly flags: readonly string[];
}

export type ScriptMaker = (random: SeededRandom) => Script;

/** The file in which commands note what they did, one line for each. */
export const effectLog = "effects.log";

/** The file in which hooks note what they were asked about. */
export const hookLog = "hooks.log";

/** A call of a scripted answer, with what it does. */
export interface PlannedCall {
  readonly call: { readonly name: string; readonly arguments: object };
  readonly effects: readonly PlannedEffect[];
}

/** Hands out effects with ids that occur once. */
export class EffectIds {
  #count = 0;

  next(): string {
    this.#count += 1;
    return `effect-${String(this.#count).padStart(2, "0")}-once`;
  }
}

/** An answer of the model with calls. */
export function answer(
  more: object,
  calls: readonly PlannedCall[],
): { turn: object; effects: readonly PlannedEffect[] } {
  return {
    turn: { ...more, tool_calls: calls.map(({ call }) => call) },
    effects: calls.flatMap(({ effects }) => effects),
  };
}
