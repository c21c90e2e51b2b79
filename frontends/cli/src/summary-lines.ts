import { textWidth } from "@capstan/view";
import { idOnScreen } from "./id-on-screen.ts";
import type { RunResult } from "./turn/run-result.ts";

/**
 * What a turn came to, in one line.
 * @param columns  of the terminal, where it is one: what is wider has a shorter id there, or a line more
 */
export function summaryLines(result: RunResult, sessionId: string, columns: number | undefined): readonly string[] {
  const { outcome, usage, costUsd, modelCalls, filesChanged } = result;
  const cost = costUsd === null ? "cost unknown" : `$${costUsd.toFixed(4)}`;
  const files = filesChanged.length === 0 ? "" : `, ${counted(filesChanged.length, "file")} changed`;
  const spent = `${counted(modelCalls, "model call")}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${cost}${files}`;
  const isNarrow = (line: string): boolean => columns !== undefined && textWidth(line) >= columns;
  const whole = `${outcome} · ${spent} · session ${sessionId}`;
  if (!isNarrow(whole)) return [whole];
  const session = `session ${idOnScreen(sessionId)}`;
  const short = `${outcome} · ${spent} · ${session}`;
  return isNarrow(short) ? [`${outcome} · ${spent}`, session] : [short];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
