import type { ToolDefinition, ToolOutcome } from "@capstan/protocol";
import { maxFoundLength } from "./limits.ts";

/** Why a tool that nobody has found yet is denied. */
export const unfoundReason = "It is there, and has to be found with search_tools first.";

/**
 * What a search for tools has brought.
 * @param found  what can be called from now on
 * @param left  how many others fit the words
 * @param full  how many found no room, since a request holds no more tools
 */
export function toolsFound(found: readonly ToolDefinition[], left: number, full: number): ToolOutcome {
  if (found.length === 0 && full === 0)
    return { type: "done", content: "No further tool fits these words. Try others, or continue without." };
  const lines = found.map(({ name, description }) => `- ${name}: ${firstLine(description)}`);
  const heading = found.length === 0 ? [] : ["Found, and to be called from now on:", ...lines];
  const more = left === 0 ? [] : [`${left} more fit these words: search with others for those.`];
  const room = full === 0 ? [] : [`${full} more were found, and a request holds no more tools.`];
  return { type: "done", content: [...heading, ...more, ...room].join("\n") };
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length <= maxFoundLength ? line : `${line.slice(0, maxFoundLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
