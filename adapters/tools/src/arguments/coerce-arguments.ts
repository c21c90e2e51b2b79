import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { findHostileValue } from "./find-hostile-value.ts";
import { jsonTypeOf, schemaTypes } from "./schema-types.ts";

/**
 * Corrects the slips models make about JSON types, only where the schema asks for the corrected type: "3" for a number, "true" for a
 * boolean, JSON text for an array or object, `null` for "left out". Everything else stays as it came, for the schema to refuse.
 */
export function coerceArguments(schema: JsonObject, args: JsonObject): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const closed = schema["additionalProperties"] === false;
  const kept = Object.entries(args).filter(([key, value]) => {
    if (value !== null || required.includes(key)) return true;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return property === undefined ? !closed : schemaTypes(property).includes("null");
  });
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      Object.hasOwn(properties, key) ? coerceValue(properties[key] ?? true, value) : value,
    ]),
  );
}

function coerceValue(schema: JsonValue, value: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return value;
  const types = schemaTypes(schema);
  const typed = typeof value === "string" && !types.includes("string") ? fromText(types, value) : value;
  if (isJsonObject(typed)) return coerceArguments(schema, typed);
  if (!Array.isArray(typed)) return typed;
  const items = schema["items"];
  return items === undefined ? typed : typed.map((item: JsonValue) => coerceValue(items, item));
}

function fromText(types: readonly string[], text: string): JsonValue {
  const trimmed = text.trim();
  if (types.includes("boolean") && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) {
    const number = Number(trimmed);
    if (types.includes("number") || (types.includes("integer") && Number.isSafeInteger(number))) return number;
  }
  if ((types.includes("array") && trimmed.startsWith("[")) || (types.includes("object") && trimmed.startsWith("{"))) {
    return fromJsonText(trimmed) ?? text;
  }
  return text;
}

/** `undefined` for text that is no JSON, or JSON nobody should walk into. */
function fromJsonText(text: string): JsonValue | undefined {
  try {
    const parsed: JsonValue = JSON.parse(text);
    return findHostileValue(parsed) === undefined && jsonTypeOf(parsed) !== "null" ? parsed : undefined;
  } catch {
    return undefined; // the schema check says what was expected, and shows what came
  }
}
