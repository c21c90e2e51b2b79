import type { JsonObject, JsonValue } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { isList } from "./json-fields.ts";

const anySurrogate = /[\ud800-\udfff]/;

/** The text with lone surrogates replaced: they have no UTF-8 form, and vendors refuse them. */
export function wellFormed(text: string): string {
  return anySurrogate.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text;
}

/** The same for every text and key inside a JSON object. */
export function wellFormedObject(value: JsonObject): JsonObject {
  return cleanObject(value, limits.jsonDepth);
}

function cleanObject(value: JsonObject, levels: number): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [wellFormed(key), clean(item, levels - 1)]),
  );
}

function clean(value: JsonValue, levels: number): JsonValue {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  if (levels <= 0) return null;
  return isList(value) ? value.map((item) => clean(item, levels - 1)) : cleanObject(value, levels);
}
