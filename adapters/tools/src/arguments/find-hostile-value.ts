import { isJsonObject, type JsonValue } from "@capstan/protocol";
import { argumentLimits } from "./limits.ts";

/**
 * Finds what no schema needs and some later code would stumble over: bottomless nesting, floods of keys, `__proto__` and its like, numbers JSON
 * cannot hold, halves of surrogate pairs. Walks with its own stack, so depth cannot exhaust ours.
 * @returns the problem as a sentence for the model, or `undefined`
 */
export function findHostileValue(root: JsonValue): string | undefined {
  const open: { readonly value: JsonValue; readonly depth: number }[] = [{ value: root, depth: 1 }];
  let keys = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    const problem = scalarProblem(value);
    if (problem !== undefined) return problem;
    if (typeof value !== "object" || value === null) continue;
    if (depth > argumentLimits.maxDepth) return `Nested deeper than ${argumentLimits.maxDepth} levels; flatten it.`;
    const members = Object.entries(value);
    keys += members.length;
    if (keys > argumentLimits.maxKeys) return `More than ${argumentLimits.maxKeys} keys and items; send less at once.`;
    const nameProblem = isJsonObject(value) ? keyProblem(members.map(([key]) => key)) : undefined;
    if (nameProblem !== undefined) return nameProblem;
    for (const [, member] of members) open.push({ value: member, depth: depth + 1 });
  }
  return undefined;
}

/** Names that lead to an object's making instead of to a value of its own. */
const reservedKeys: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

function scalarProblem(value: JsonValue): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return "A number is too large for JSON or not a number.";
  if (typeof value === "string" && hasLoneSurrogate(value))
    return "A text holds half of a surrogate pair; send whole characters.";
  return undefined;
}

function keyProblem(keys: readonly string[]): string | undefined {
  const reserved = keys.find((key) => reservedKeys.has(key));
  if (reserved !== undefined) return `The key \`${reserved}\` is not accepted.`;
  if (keys.some(hasLoneSurrogate)) return "A key holds half of a surrogate pair; send whole characters.";
  return undefined;
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text); // with the flag, a whole pair is one code point and no surrogate
}
