import { isJsonObject, type JsonObject, unreachable } from "@capstan/protocol";
import { maxExamples, maxHookSeconds, maxListEntries } from "../config-limits.ts";
import type { ConfigKey, ConfigType } from "../keys/config-key.ts";
import { type KeyNode, keyTree } from "../keys/key-tree.ts";

/** JSON Schema (2020-12) of the user's `config.toml`. */
export function configJsonSchema(): JsonObject {
  const settings = tableSchema(keyTree);
  const properties = isJsonObject(settings["properties"]) ? settings["properties"] : {};
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Capstan configuration",
    ...settings,
    properties: {
      ...properties,
      presets: {
        description: "Named sets of keys, chosen with `--preset NAME`.",
        type: "object",
        additionalProperties: { $ref: "#/$defs/preset" },
      },
    },
    $defs: { preset: settings },
  };
}

function tableSchema(children: ReadonlyMap<string, KeyNode>): JsonObject {
  const properties: Record<string, JsonObject> = {};
  let others: JsonObject | false = false;
  for (const [name, node] of children) {
    const schema = node.type === "table" ? tableSchema(node.children) : keySchema(node.key);
    if (name === "*") others = schema;
    else properties[name] = schema;
  }
  return { type: "object", properties, additionalProperties: others };
}

function keySchema(key: ConfigKey): JsonObject {
  const preset = key.default === null ? {} : { default: key.default };
  return { description: key.about, ...typeSchema(key.type), ...preset };
}

function typeSchema(type: ConfigType): JsonObject {
  switch (type.type) {
    case "string":
    case "boolean":
      return { type: type.type };
    case "url":
      // A variable may stand for all of it.
      return { type: "string", pattern: "^([hH][tT][tT][pP][sS]?://|.*\\$\\{)" };
    case "integer":
    case "number":
      return { type: type.type, minimum: type.minimum, maximum: type.maximum };
    case "choice":
      return { type: "string", anyOf: [{ enum: [...type.choices, ...Object.keys(type.aliases)] }, variable] };
    case "string-list":
      return { type: "array", items: { type: "string", minLength: 1 }, maxItems: maxListEntries };
    case "table-list":
      return { type: "array", items: { type: "object" }, maxItems: maxListEntries };
    case "hook-list":
      return { type: "array", items: hookSchema, maxItems: maxListEntries };
    case "rule-list":
      return { type: "array", items: ruleSchema, maxItems: maxListEntries };
    case "open-table":
      return {
        type: "object",
        propertyNames: "names" in type ? { enum: type.names } : { not: { enum: type.reserved } },
      };
    default:
      return unreachable(type);
  }
}

const variable: JsonObject = { pattern: "\\$\\{" };
const text: JsonObject = { type: "string", minLength: 1 };
const texts: JsonObject = { anyOf: [text, { type: "array", items: text, minItems: 1, maxItems: maxExamples }] };
const hookSchema: JsonObject = {
  type: "object",
  properties: {
    matcher: { type: "string" },
    command: { anyOf: [text, { type: "array", items: { type: "string" }, minItems: 1 }] },
    url: text,
    headers: { type: "object", additionalProperties: { type: "string" } },
    bearer_token_env: text,
    timeout: { type: "number", exclusiveMinimum: 0, maximum: maxHookSeconds },
  },
  additionalProperties: false,
};
const ruleSchema: JsonObject = {
  type: "object",
  properties: {
    verdict: { type: "string", enum: ["allow", "ask", "deny"] },
    tool: texts,
    command: texts,
    path: texts,
    host: texts,
    origin: text,
    reason: text,
    risk: { type: "string", enum: ["low", "medium", "high"] },
    expires: text,
    locked: { type: "boolean" },
    destructive: { type: "boolean" },
    match: texts,
    not_match: texts,
  },
  required: ["verdict", "tool"],
  additionalProperties: false,
};
