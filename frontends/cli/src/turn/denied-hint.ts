import type { DeniedCall } from "./run-result.ts";
import { shellWord } from "./shell-word.ts";

/**
 * A command line that continues the session and lets pass what nobody could be asked about, or else leaves the question to them.
 * Where a user said no there is nothing to advise, and a flag that was just given has done what it can.
 * @param given  names of the flags of this run
 */
export function deniedHint(
  denied: readonly DeniedCall[],
  sessionId: string,
  given: ReadonlySet<string>,
): string | undefined {
  if (denied.some(({ by }) => by === "user")) return undefined;
  const passing = denied.flatMap(({ passesWith }) => (passesWith === undefined ? [] : [passesWith]));
  const modes = passing.flatMap((each) => (each.type === "mode" ? [`--permission-mode ${each.mode}`] : []));
  const rules = passing.flatMap((each) => (each.type === "rule" ? [`--allow ${shellWord(each.rule)}`] : []));
  const flags = [...new Set([...modes, ...rules])].filter((flag) => !given.has(flag.split(" ", 1)[0] ?? ""));
  if (flags.length > 0) return `Allow it: capstan run --resume ${sessionId} ${flags.join(" ")} "continue"`;
  const canAsk = passing.length === 0 && denied.some(({ by }) => by === "unattended") && !given.has("--on-ask");
  return canAsk ? `Be asked: capstan run --resume ${sessionId} --on-ask park "continue"` : undefined;
}
