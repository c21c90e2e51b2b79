import { canonicalJson, type ToolCallBlock } from "@capstan/protocol";

export interface Repetition {
  readonly key: string;
  readonly count: number;
}

/** What the guard remembers between two answers of the model. */
export interface LoopMemory extends Repetition {
  /** Answers in a row that ended in a call which was given a loop notice instead of being run. */
  readonly notices: number;
}

export const noLoop: LoopMemory = { key: "", count: 0, notices: 0 };

/** The memory after one more answer with calls. */
export function afterCalls(before: LoopMemory, calls: readonly ToolCallBlock[], allowed: number): LoopMemory {
  const last = countRepetitions(before, calls).at(-1) ?? before;
  return { ...last, notices: last.count >= allowed ? before.notices + 1 : 0 };
}

/** The guard's memory after one more call: how often the same call was made in a row. */
function countRepetition(before: Repetition, call: ToolCallBlock): Repetition {
  const args = call.arguments.type === "json" ? canonicalJson(call.arguments.value) : call.arguments.text;
  const key = `${call.name} ${args}`;
  return { key, count: key === before.key ? before.count + 1 : 1 };
}

/** How often each call of a batch has been made in a row, in call order. */
export function countRepetitions(before: Repetition, calls: readonly ToolCallBlock[]): readonly Repetition[] {
  const counted: Repetition[] = [];
  let last = before;
  for (const call of calls) {
    last = countRepetition(last, call);
    counted.push(last);
  }
  return counted;
}
