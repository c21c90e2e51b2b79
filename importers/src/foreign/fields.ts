import { isJsonObject, type JsonObject, type JsonValue, type ToolArguments } from "@capstan/protocol";

/** Fields of data that nobody promised anything about. */

export function objectAt(from: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = from?.[key];
  return isJsonObject(value) ? value : undefined;
}

/** Empty when there is no such text. */
export function textAt(from: JsonObject | undefined, key: string): string {
  const value = from?.[key];
  return typeof value === "string" ? value : "";
}

/** 0 for whatever is no count. */
export function countAt(from: JsonObject | undefined, key: string): number {
  const value = from?.[key];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function listAt(from: JsonObject | undefined, key: string): readonly JsonValue[] {
  const value = from?.[key];
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; a text or an object alone counts as a list of one. Texts become `{ type: "text", text }`. */
export function blocksOf(value: JsonValue | undefined): readonly JsonObject[] {
  if (typeof value === "string") return [{ type: "text", text: value }];
  if (isJsonObject(value)) return [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: JsonValue): readonly JsonObject[] =>
    typeof item === "string" ? [{ type: "text", text: item }] : isJsonObject(item) ? [item] : [],
  );
}

/** ms since 1970 of an ISO text or a number of ms; 0 where it is neither. */
export function timeAt(from: JsonObject | undefined, key: string): number {
  const value = from?.[key];
  const at = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : 0;
  return Number.isFinite(at) && at > 0 ? Math.round(at) : 0;
}

/** Arguments that should be an object, or the text of one. */
export function argumentsOf(value: JsonValue | undefined): ToolArguments {
  if (isJsonObject(value)) return { type: "json", value };
  if (value === undefined || value === null || value === "") return { type: "json", value: {} };
  if (typeof value !== "string") return malformed(JSON.stringify(value));
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) ? { type: "json", value: parsed } : malformed(value);
  } catch {
    return malformed(value);
  }
}

function malformed(text: string): ToolArguments {
  return { type: "malformed", text, problem: "not a JSON object in the imported session" };
}
