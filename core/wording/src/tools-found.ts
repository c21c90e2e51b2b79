import type { SessionCall, SessionConfig, ToolDefinition, ToolOutcome } from "@capstan/protocol";
import { maxFoundLength, maxOfferedTools } from "./limits.ts";

/** Why a tool that nobody has found yet is denied. */
export const unfoundReason = "It is there, and has to be found with search_tools first.";

type Search = Extract<SessionCall, { type: "find-tools" }>;

/** What a search for tools adds to those that the model has found, as many as a request has room for. */
function newlyFound({ tools }: SessionConfig, found: readonly string[], search: Search): readonly string[] {
  const deferred = new Set(tools.flatMap((tool) => (tool.deferred === true ? [tool.name] : [])));
  const offered = tools.length - deferred.size + found.length;
  const added = search.found.filter((name) => deferred.has(name) && !found.includes(name));
  return added.slice(0, Math.max(0, maxOfferedTools - offered));
}

/** What the model has found, after a call that went well; the same list where it was no search that found something. */
export function foundAfter(
  config: SessionConfig | null,
  found: readonly string[],
  call: SessionCall | undefined,
): readonly string[] {
  const added = config === null || call?.type !== "find-tools" ? [] : newlyFound(config, found, call);
  return added.length === 0 ? found : [...found, ...added];
}

/** What the model reads of a search. What was found before is named again: a model that searches twice has forgotten it. */
export function searchOutcome(config: SessionConfig, before: readonly string[], search: Search): ToolOutcome {
  const isThere = new Set([...before, ...newlyFound(config, before, search)]);
  const known = new Map(config.tools.map((tool) => [tool.name, tool]));
  const found = search.found.flatMap((name) => (isThere.has(name) ? (known.get(name) ?? []) : []));
  return toolsFound(found, search.more, search.found.length - found.length);
}

/**
 * What a search for tools has brought.
 * @param found  what can be called from now on
 * @param left  how many others fit the words
 * @param full  how many found no room, since a request holds no more tools
 */
function toolsFound(found: readonly ToolDefinition[], left: number, full: number): ToolOutcome {
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
