import { searchToolsName, type ToolDefinition } from "@capstan/protocol";
import { dropped, renamed } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";
import { maxNamesLength, maxQueryLength } from "../tool-search/limits.ts";

/** Finds tools that are not in the request yet. It is there only where there are such. @see seed P24 */
export const searchToolsEntry: Omit<ToolEntry, "load"> = {
  name: searchToolsName,
  definition: () => searchToolsText([]),
  effect: "session",
  settles: false,
  rules: { names: ["tool_search"], pattern: "none", contents: "untouched" },
  aliases: ["tool_search", "ToolSearch", "find_tools", "tool_search_tool_bm25", "tool_search_tool_regex"],
  argumentAliases: [
    renamed("query", ["queries", "words", "q", "pattern", "text"]),
    dropped(["limit", "max_results", "explanation", "description"]),
  ],
};

export function searchToolsText(tools: readonly ToolDefinition[]): ToolText {
  return {
    description: `Find more tools by what they do or by name; those found can be called. ${namesOf(tools)}`.trim(),
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: maxQueryLength },
        regex: { type: "boolean" },
      },
      required: ["query"],
      additionalProperties: false,
    },
  };
}

/** Their names, as far as there is room; else how many there are, by what stands before their last part. */
function namesOf(tools: readonly ToolDefinition[]): string {
  const names = tools.map(({ name }) => name);
  if (names.length === 0) return "";
  const all = `There are: ${joined(names)}.`;
  if (all.length <= maxNamesLength) return all;
  const groups = new Map<string, number>();
  for (const name of names) {
    const group = /^(mcp__.+?)__/.exec(name)?.[1] ?? "others";
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const counted = [...groups].map(([group, count]) => `${group} (${count})`).join(", ");
  return `There are: ${counted}.`.slice(0, maxNamesLength);
}

/** Names of one family are written like `git_{add,log}`. */
function joined(names: readonly string[]): string {
  const families = new Map<string, string[]>();
  for (const name of names) {
    const [, family = name, rest = ""] = /^([a-z]+_)([a-z]+)$/.exec(name) ?? [];
    families.set(family, [...(families.get(family) ?? []), rest]);
  }
  return [...families]
    .map(([family, rests]) => (rests.length === 1 ? `${family}${rests[0]}` : `${family}{${rests.join(",")}}`))
    .join(", ");
}
