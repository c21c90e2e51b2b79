import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { limits } from "../limits.ts";

/** Reading untrusted JSON field by field: what does not fit is absent, never an exception. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

/** A count of tokens; `undefined` when it is none. */
export function countOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

/** The value of a JSON text; `undefined` when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The object a JSON text holds; `undefined` for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  return objectOf(parseJson(text));
}

/** True for arrays; distinguishes them from objects, which `Array.isArray` does not for read-only ones. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** True when a value nests deeper than everything after us can walk. */
export function isTooDeep(value: JsonValue, levels: number = limits.jsonDepth): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return (isList(value) ? value : Object.values(value)).some((item) => isTooDeep(item, levels - 1));
}
