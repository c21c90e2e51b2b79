import type { Problem } from "./problem.ts";

/**
 * The errors that were not there before. One that only moved to another line is not new: what it says and how often tells it apart.
 * @param before  those that are known
 */
export function newErrors(before: readonly Problem[], now: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, number>();
  for (const problem of errorsOf(before)) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return errorsOf(now).filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

export function errorsOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity }) => severity === "error");
}

function keyOf({ code, text }: Problem): string {
  return `${code}\n${text}`;
}
