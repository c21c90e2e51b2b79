import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { maxNesting, shownCharacters } from "../limits.ts";
import { nestingOf } from "./nesting.ts";

/** The object that a line holds, or in words why it holds none. */
export function readObjectLine(line: string): JsonObject | string {
  if (nestingOf(line) > maxNesting) return `the line nests deeper than ${maxNesting}`;
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : "the line is no JSON object";
  } catch {
    return `the line is no valid JSON: ${shown(line)}`;
  }
}

/** What was received, as an error repeats it. */
export function shown(text: string): string {
  return JSON.stringify(text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text);
}
