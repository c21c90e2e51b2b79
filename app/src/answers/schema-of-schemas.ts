/* oxlint-disable unicorn/no-thenable -- a keyword has this name */
import type { JsonObject } from "@capstan/protocol";

const schema = { $ref: "#" };
const schemas = { type: "array", minItems: 1, items: schema };
const named = { type: "object", additionalProperties: schema };
const names = { type: "array", items: { type: "string" } };
const count = { type: "integer", minimum: 0 };
const number = { type: "number" };
const text = { type: "string" };
const typeName = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] };

/** What a JSON Schema may say, of every draft that can be applied; keywords that are not known are remarks. */
export const schemaOfSchemas: JsonObject = {
  type: ["object", "boolean"],
  properties: {
    $ref: text,
    $id: text,
    $anchor: text,
    $schema: text,
    $defs: named,
    definitions: named,
    type: { if: { type: "array" }, then: { minItems: 1, items: typeName }, else: typeName },
    enum: { type: "array", minItems: 1 },
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    anyOf: schemas,
    allOf: schemas,
    oneOf: schemas,
    format: text,
    properties: named,
    patternProperties: { ...named, propertyNames: { format: "regex" } },
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
    dependentSchemas: named,
    dependentRequired: { type: "object", additionalProperties: names },
    required: names,
    minProperties: count,
    maxProperties: count,
    prefixItems: schemas,
    items: { if: { type: "array" }, then: { items: schema }, else: schema },
    additionalItems: schema,
    unevaluatedItems: schema,
    contains: schema,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    uniqueItems: { type: "boolean" },
    minimum: number,
    maximum: number,
    exclusiveMinimum: { type: ["number", "boolean"] },
    exclusiveMaximum: { type: ["number", "boolean"] },
    multipleOf: { type: "number", exclusiveMinimum: 0 },
    minLength: count,
    maxLength: count,
    pattern: { type: "string", format: "regex" },
  },
};
