import { inertLine } from "@capstan/patterns";
import type { ToolCallBlock } from "@capstan/protocol";
import { lineCharacters } from "../limits.ts";

/** Arguments that say what a call is about, the most telling first: in our names and in those that models were trained on. */
const telling = ["command", "argv", "cmd", "path", "file_path", "paths", "pattern", "query", "url", "name", "id"];
const argumentCharacters = 120;

/** What a call is about as its model wrote it, for as long as nobody has prepared it: the tool, and its most telling argument. */
export function writtenSummary({ name, arguments: args }: Pick<ToolCallBlock, "name" | "arguments">): string {
  const tool = inertLine(name, lineCharacters);
  if (args.type === "malformed") return tool;
  const found = telling.map((key) => textOf(args.value[key])).find((text) => text.trim() !== "");
  return found === undefined ? tool : `${tool} ${inertLine(found, argumentCharacters)}`;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((part) => typeof part === "string").join(" ") : "";
}
