import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { listOf, objectOf, textOf } from "../shared/json-fields.ts";

/** Keywords that mean the same in both. */
const sharedKeywords: readonly string[] = [
  "title",
  "description",
  "default",
  "nullable",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
  "pattern",
];
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/**
 * A JSON Schema in the subset of OpenAPI that `parameters` takes. What the subset cannot say is left out: it only guides
 * the model, and arguments are checked against the tool's own schema when they come.
 */
export function toOpenApiSchema(schema: JsonObject): JsonObject {
  return convert(schema, { root: schema, levels: limits.schemaDepth });
}

interface Place {
  readonly root: JsonObject;
  readonly levels: number;
}

function convert(value: JsonValue | undefined, place: Place): JsonObject {
  const schema = merged(objectOf(value) ?? {}, place);
  if (place.levels <= 0) return { type: "string" };
  const inner = { ...place, levels: place.levels - 1 };
  const { types, nullable } = typesOf(schema);
  const [type] = types;
  const choices = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].filter((item) => !isNull(item));
  const alternatives =
    types.length > 1 ? types.map((name): JsonValue => ({ ...schema, type: name, anyOf: [], oneOf: [] })) : choices;
  const shared = Object.entries(schema).filter(([key]) => sharedKeywords.includes(key));
  return {
    ...Object.fromEntries(shared),
    ...(type === undefined || alternatives.length > 0 ? {} : { type }),
    ...(nullable ? { nullable: true } : {}),
    ...(alternatives.length === 0 ? {} : { anyOf: alternatives.map((item) => convert(item, inner)) }),
    ...(types.length === 1 ? ofType(type ?? "", schema, inner) : {}),
  };
}

function ofType(type: string, schema: JsonObject, inner: Place): JsonObject {
  const format = textOf(schema["format"]);
  const kept = formats[type]?.includes(format) === true ? { format } : {};
  switch (type) {
    case "object":
      return objectFields(schema, inner);
    case "array":
      return { items: convert(schema["items"], inner) };
    case "string": {
      const values = (schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]]).filter(
        (item) => typeof item === "string" && item !== "",
      );
      return values.length === 0 ? kept : { enum: values };
    }
    default:
      return kept;
  }
}

function objectFields(schema: JsonObject, inner: Place): JsonObject {
  const properties = Object.entries(objectOf(schema["properties"]) ?? {});
  if (properties.length === 0) return {};
  const names = new Set<JsonValue>(properties.map(([name]) => name));
  const required = listOf(schema["required"]).filter((name) => names.has(name));
  return {
    properties: Object.fromEntries(properties.map(([name, item]) => [name, convert(item, inner)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The types a schema allows; where it names none, what its other keywords speak of. */
function typesOf(schema: JsonObject): { readonly types: readonly string[]; readonly nullable: boolean } {
  const named = [schema["type"], ...listOf(schema["type"])].map((type) => textOf(type)).filter((type) => type !== "");
  const choices = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  const types = named.filter((type) => type !== "null");
  return {
    types: types.length > 0 || choices.length > 0 ? types : [guessedType(schema)],
    nullable: named.includes("null") || choices.some(isNull),
  };
}

function guessedType(schema: JsonObject): string {
  if (schema["properties"] !== undefined) return "object";
  if (schema["items"] !== undefined) return "array";
  const sample = schema["const"] ?? listOf(schema["enum"])[0];
  if (typeof sample === "number" || typeof sample === "boolean") return typeof sample;
  return "string";
}

function isNull(item: JsonValue): boolean {
  return isJsonObject(item) && item["type"] === "null";
}

/** The schema with its reference followed and the parts of `allOf` laid over each other. */
function merged(schema: JsonObject, place: Place): JsonObject {
  let whole = schema;
  for (let step = 0; step < place.levels; step += 1) {
    const { $ref: reference, allOf, ...own } = whole;
    if (reference === undefined && allOf === undefined) break;
    const parts = [referred(textOf(reference), place.root), ...listOf(allOf).map((part) => objectOf(part) ?? {}), own];
    whole = parts.reduce(laidOver, {});
  }
  return whole;
}

function laidOver(below: JsonObject, above: JsonObject): JsonObject {
  const properties = { ...objectOf(below["properties"]), ...objectOf(above["properties"]) };
  const required = [...new Set([...listOf(below["required"]), ...listOf(above["required"])])];
  return {
    ...below,
    ...above,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function referred(reference: string, root: JsonObject): JsonObject {
  if (!reference.startsWith("#/")) return {};
  const keys = reference
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = keys.reduce<JsonValue | undefined>(
    (at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    root,
  );
  return objectOf(found) ?? {};
}
