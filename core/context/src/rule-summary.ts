import type { Message } from "@capstan/protocol";
import {
  maxRuleSummaryCharacters,
  minRuleSummaryCharacters,
  ruleCharactersPerToken,
  ruleLineCharacters,
} from "./limits.ts";

/**
 * What is said in place of messages where no model can summarise them: who said what in a line each, the newest in full number.
 * @param most  characters, roughly
 */
export function ruleSummary(before: string | null, messages: readonly Message[], most: number): string {
  const lines = messages.flatMap(linesOf);
  const shown: string[] = [];
  let left = before === null ? most : most / 2;
  for (const each of lines.toReversed()) {
    left -= each.length + 1;
    if (left < 0) break;
    shown.unshift(each);
  }
  const missing = lines.length - shown.length;
  return [
    ...(before === null ? [] : [cut(before, most / 2)]),
    "Earlier messages are not shown any more; no model summarised them. In a line each:",
    ...(missing === 0 ? [] : [`(${missing} earlier lines are left out)`]),
    ...shown,
  ].join("\n");
}

/** How long rules may make a summary for a model with this budget. */
export function mostRuleCharacters(budgetTokens: number): number {
  return Math.min(maxRuleSummaryCharacters, Math.max(minRuleSummaryCharacters, budgetTokens * ruleCharactersPerToken));
}

/** A message in a line for each thing that was said or done. */
export function linesOf(message: Message): readonly string[] {
  return message.content.flatMap((block) => {
    switch (block.type) {
      case "text":
        return line(message.role === "user" ? "User" : "You", block.text);
      case "tool-call":
        return line("You called", `${block.name} ${JSON.stringify(argumentsOf(block.arguments))}`);
      case "tool-result":
        return block.isError ? line(`${block.toolName} failed`, block.content) : [];
      case "media":
        return line("User attached", block.name ?? block.mediaType);
      case "thinking":
      case "provider-item":
        return [];
    }
  });
}

function argumentsOf(written: { readonly type: string; readonly value?: unknown; readonly text?: string }): unknown {
  return written.type === "json" ? written.value : written.text;
}

function line(who: string, text: string): readonly string[] {
  const said = text.replaceAll(/\s+/g, " ").trim();
  return said === "" ? [] : [`- ${who}: ${cut(said, ruleLineCharacters)}`];
}

/** The beginning of a text. */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;
}
