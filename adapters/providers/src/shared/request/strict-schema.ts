import type { JsonObject, JsonValue } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { isList, listOf, objectOf } from "../json-fields.ts";

/**
 * A tool's schema as OpenAI's strict mode takes it: every object closed, every property required, and those that were
 * optional made nullable. `undefined` where strict mode cannot say what the schema says, such as a table of any names.
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  const strict = strictSchema(
    { ...schema, type: "object", properties: schema["properties"] ?? {} },
    limits.schemaDepth,
  );
  return objectOf(strict?.["properties"]) === undefined ? undefined : strict;
}

/** True where a schema itself takes `null`. */
export function acceptsNull(schema: JsonValue | undefined): boolean {
  const fields = objectOf(schema);
  if (fields === undefined) return true;
  const types = [fields["type"] ?? []].flat();
  if (types.length > 0) return types.includes("null");
  if (fields["const"] !== undefined) return fields["const"] === null;
  if (isList(fields["enum"])) return fields["enum"].includes(null);
  const branches = branchesOf(fields);
  return branches.length === 0 ? fields["$ref"] === undefined : branches.some(acceptsNull);
}

/** The alternatives of a schema. */
export function branchesOf(schema: JsonObject): readonly JsonValue[] {
  return [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
}

/** What strict mode has no words for; a schema that holds one of them stays as it is. */
const inexpressible = [
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "dependentRequired",
  "dependentSchemas",
];
/** What strict mode refuses although nothing is lost without it: the tool checks its arguments anyhow. */
const dropped: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "default",
  "examples",
  "minLength",
  "maxLength",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "unevaluatedProperties",
]);

/** A schema without any of these takes anything. */
const decisive = ["type", "anyOf", "oneOf", "$ref", "enum", "const"];

function strictSchema(schema: JsonValue | undefined, levels: number): JsonObject | undefined {
  const fields = objectOf(schema);
  if (fields === undefined || levels === 0 || inexpressible.some((word) => fields[word] !== undefined))
    return undefined;
  if (!decisive.some((word) => fields[word] !== undefined)) return undefined;
  const object = isOfType(fields, "object") ? strictObject(fields, levels) : {};
  const items = isOfType(fields, "array") ? strictItems(fields, levels) : {};
  const branches = strictAll(branchesOf(fields), levels);
  const definitions = strictDefinitions(fields, levels);
  if (object === undefined || items === undefined || branches === undefined || definitions === undefined)
    return undefined;
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([word]) => !dropped.has(word) && word !== "oneOf")),
    ...object,
    ...(branches.length === 0 ? {} : { anyOf: branches }),
    ...items,
    ...definitions,
  };
}

function strictAll(schemas: readonly JsonValue[], levels: number): readonly JsonObject[] | undefined {
  const strict = schemas.map((schema) => strictSchema(schema, levels - 1)).filter((schema) => schema !== undefined);
  return strict.length === schemas.length ? strict : undefined;
}

function strictObject(fields: JsonObject, levels: number): JsonObject | undefined {
  const properties = objectOf(fields["properties"]);
  const others = fields["additionalProperties"];
  // An object without properties of its own is a table of any names.
  if (properties === undefined || (others !== undefined && typeof others !== "boolean") || others === true)
    return undefined;
  const names = Object.keys(properties);
  const schemas = strictAll(Object.values(properties), levels);
  if (schemas === undefined) return undefined;
  const required = listOf(fields["required"]);
  const strict = names.map((name, at): readonly [string, JsonObject] => {
    const schema = schemas[at] ?? {};
    return [name, required.includes(name) ? schema : nullable(schema)];
  });
  return { properties: Object.fromEntries(strict), required: names, additionalProperties: false };
}

function strictDefinitions(fields: JsonObject, levels: number): JsonObject | undefined {
  const found: Record<string, JsonObject> = {};
  for (const word of ["$defs", "definitions"]) {
    const table = objectOf(fields[word]);
    if (table === undefined) continue;
    const schemas = strictAll(Object.values(table), levels);
    if (schemas === undefined) return undefined;
    found[word] = Object.fromEntries(Object.keys(table).map((name, at) => [name, schemas[at] ?? {}]));
  }
  return found;
}

function strictItems(fields: JsonObject, levels: number): JsonObject | undefined {
  const items = strictSchema(fields["items"], levels - 1);
  return items && { items };
}

function isOfType(fields: JsonObject, type: string): boolean {
  return [fields["type"] ?? []].flat().includes(type);
}

/** Strict mode knows no absent property: `null` stands for it. */
function nullable(schema: JsonObject): JsonObject {
  if (acceptsNull(schema)) return schema;
  const { description, ...rest } = schema;
  const words = description === undefined ? {} : { description };
  const types = [schema["type"] ?? []].flat();
  if (types.length === 0 || schema["const"] !== undefined) return { ...words, anyOf: [rest, { type: "null" }] };
  const choices = schema["enum"];
  return { ...schema, type: [...types, "null"], ...(isList(choices) ? { enum: [...choices, null] } : {}) };
}
