import { messageOf } from "@capstan/protocol";
import { refuse } from "./refuse-scenario.ts";

/**
 * JSON of a scenario file, or of one of its lines.
 * @throws {AppError} `rehearsal.scenario` with the place
 */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const problem = messageOf(error).replaceAll(/\s+/g, " ");
    throw refuse(`${name}${position(text, problem)}`, `not valid JSON: ${problem}`, undefined, { cause: error });
  }
}

/** Line and column, where the parser says how far it came; for some mistakes it only quotes the text around. */
function position(text: string, problem: string): string {
  const offset = /at position (\d+)/.exec(problem)?.[1];
  if (offset === undefined) return "";
  const before = text.slice(0, Number(offset));
  return `:${before.split("\n").length}:${before.length - before.lastIndexOf("\n")}`;
}
