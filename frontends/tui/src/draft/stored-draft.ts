import { isJsonObject, type JsonValue } from "@capstan/protocol";
import {
  type Draft,
  draftOf,
  draftText,
  emptyDraft,
  endOf,
  type Item,
  type Line,
  linesOf,
  type Token,
} from "./draft.ts";

/** How the JSON of a draft with tokens begins. */
const mark = '{"draft":';

/** What is kept of a draft: its text, or, where tokens stand in it, all of it as JSON. `null`: nothing to keep. */
export function storedDraft(draft: Draft): string | null {
  const isPlain = draft.lines.every((line) => line.every((item) => typeof item === "string"));
  const text = draftText(draft);
  // Text that looks like such JSON is kept as JSON itself.
  if (isPlain && !text.startsWith(mark)) return text === "" ? null : text;
  return JSON.stringify({ draft: draft.lines.map((line) => packed(line)) });
}

/** What was kept, or any text. */
export function draftOfStored(stored: string): Draft {
  if (!stored.startsWith(mark)) return draftOf(stored);
  const lines = readLines(stored);
  if (lines === null) return draftOf(stored);
  const numbers = lines.flat().flatMap((item) => (typeof item === "string" ? [] : [item.number]));
  return { ...emptyDraft, lines, caret: endOf(lines), tokens: Math.max(0, ...numbers) };
}

/** Text between tokens in one piece. */
function packed(line: Line): readonly (string | Token)[] {
  const parts: Item[] = [];
  for (const item of line) {
    const last = parts.at(-1);
    if (typeof item === "string" && typeof last === "string") parts[parts.length - 1] = last + item;
    else parts.push(item);
  }
  return parts;
}

function readLines(text: string): readonly Line[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const lines = isJsonObject(value) ? value["draft"] : undefined;
  if (!Array.isArray(lines) || lines.length === 0) return null;
  return lines.map((line: JsonValue) => (Array.isArray(line) ? line.flatMap(itemsOf) : []));
}

function itemsOf(part: JsonValue): Line {
  if (typeof part === "string") return linesOf(part).flat();
  if (!isJsonObject(part)) return [];
  const { type, number, text, mediaType, data, name } = part;
  if (typeof number !== "number") return [];
  if (type === "paste" && typeof text === "string") return [{ type, number, text }];
  if (type !== "image" || typeof mediaType !== "string" || typeof data !== "string") return [];
  return [{ type, number, mediaType, data, ...(typeof name === "string" ? { name } : {}) }];
}
