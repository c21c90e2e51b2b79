import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";

/** The JSON types a schema accepts, as far as it names them: `type`, or those of all branches. Empty: it does not say. */
export function schemaTypes(schema: JsonValue): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const named = [schema["type"] ?? []].flat().filter((type) => typeof type === "string");
  if (named.length > 0) return named;
  const branches = [schema["anyOf"] ?? [], schema["oneOf"] ?? []].flat();
  const branchTypes = branches.map(schemaTypes);
  // A branch that names no type accepts anything, so nothing may be coerced.
  return branchTypes.some((types) => types.length === 0) ? [] : branchTypes.flat();
}

/** The JSON type of a value, as schemas name it. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** The fields an object schema names, with their schemas. */
export function schemaFields(schema: JsonObject): Readonly<Record<string, JsonValue>> {
  return isJsonObject(schema["properties"]) ? schema["properties"] : {};
}

/** The fields an object schema requires. */
export function requiredFields(schema: JsonObject): readonly string[] {
  const required = schema["required"];
  return Array.isArray(required) ? required.filter((field): field is string => typeof field === "string") : [];
}
