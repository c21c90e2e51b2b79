import { canonicalJson, type ToolCallBlock } from "@capstan/protocol";

export interface Repetition {
  readonly key: string;
  readonly count: number;
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
