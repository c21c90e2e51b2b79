import { isJsonObject, type JsonObject, type JsonValue, messageOf } from "@capstan/protocol";
import { defaultDeclaredSeconds, maxDeclaredSeconds } from "../limits.ts";
import type { Conditions, DeclaredPlugin, DeclaredTool } from "./declared-plugin.ts";
import { Fields } from "./fields.ts";
import { readWork } from "./read-work.ts";

/** Where the content of fields belongs that other engines read in such files. */
const elsewhere: Readonly<Record<string, string>> = {
  mcp: "the configuration's mcp_servers",
  prompts: "the configuration's prompt or templates",
  subAgents: "files in agents",
  skills: "folders in skills",
  env: "the configuration's plugins.settings",
};

const pluginFields: readonly string[] = [
  ..."name version description dependencies engine enabled conditions tools".split(" "),
  ...Object.keys(elsewhere),
];

const toolFields: readonly string[] = [
  ..."name type kind description inputSchema input_schema parameters schema effect timeout enabled".split(" "),
  ..."conditions command script method url headers body code content text file path".split(" "),
];

const msPerSecond = 1000;

/**
 * Reads a plugin that is written as data.
 * @param id  its name, where it gives none
 * @throws Error in words for people
 */
export async function readDeclared(path: string, text: string, id: string): Promise<DeclaredPlugin> {
  const fields = new Fields(await parse(path, text), "");
  fields.allow(pluginFields);
  const tools = fields.flag("enabled", true) ? toolsOf(fields) : [];
  return {
    name: fields.text("name") ?? id,
    version: fields.text("version") ?? "0.0.0",
    description: fields.text("description") ?? "",
    dependencies: fields.texts("dependencies"),
    engine: fields.text("engine") ?? null,
    conditions: conditionsOf(fields),
    tools,
    unused: Object.entries(elsewhere).flatMap(([name, place]) =>
      fields.value(name) === undefined ? [] : [`${name} (it belongs to ${place})`],
    ),
  };
}

async function parse(path: string, text: string): Promise<JsonValue> {
  try {
    const { parseJson, parseToml, parseYaml } = await import("./parsers.ts");
    if (path.endsWith(".json")) return parseJson(text);
    return path.endsWith(".toml") ? parseToml(text) : parseYaml(text);
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error).split("\n")[0]}`, { cause: error });
  }
}

/** A table by their names, a list, or Forge's list `definitions`. */
function toolsOf(fields: Fields): readonly DeclaredTool[] {
  const value = fields.value("tools") ?? {};
  if (Array.isArray(value)) return listed(value, "tools");
  const { definitions, ...named } = isJsonObject(value) ? value : {};
  if (Array.isArray(definitions)) return listed(definitions, "tools.definitions");
  if (!isJsonObject(value)) throw fields.wrong("tools", "a table or a list is wanted");
  const all = definitions === undefined ? named : value;
  return Object.entries(all).flatMap(([name, tool]) => readTool(new Fields(tool, `tools.${name}`), name));
}

function listed(tools: readonly JsonValue[], place: string): readonly DeclaredTool[] {
  return tools.flatMap((tool, index) => readTool(new Fields(tool, `${place}[${index}]`), undefined));
}

function readTool(fields: Fields, name: string | undefined): readonly DeclaredTool[] {
  fields.allow(toolFields);
  if (!fields.flag("enabled", true)) return [];
  const inputSchema = schemaOf(fields);
  return [
    {
      name: name ?? fields.requiredText("name"),
      description: fields.requiredText("description"),
      inputSchema,
      effect: effectOf(fields),
      timeoutMs: fields.number("timeout", defaultDeclaredSeconds, maxDeclaredSeconds) * msPerSecond,
      conditions: conditionsOf(fields),
      work: readWork(fields, inputSchema),
    },
  ];
}

/** A JSON Schema, or its properties alone: then those without a default must be given. */
function schemaOf(fields: Fields): JsonObject {
  const names = ["inputSchema", "input_schema", "parameters", "schema"];
  const schema = fields.value(...names) ?? {};
  if (!isJsonObject(schema)) throw fields.wrong("inputSchema", "a JSON Schema is wanted");
  if (schema["type"] === "object") return schema;
  const required = Object.entries(schema).flatMap(([name, property]) => {
    if (!isJsonObject(property)) throw fields.wrong(`inputSchema.${name}`, "a JSON Schema is wanted");
    return Object.hasOwn(property, "default") ? [] : [name];
  });
  return { type: "object", properties: schema, required, additionalProperties: false };
}

function effectOf(fields: Fields): DeclaredTool["effect"] {
  const effect = fields.text("effect") ?? "execute";
  if (effect === "read" || effect === "write" || effect === "execute") return effect;
  throw fields.wrong("effect", "read, write or execute is wanted");
}

function conditionsOf(fields: Fields): Conditions {
  const conditions = fields.table("conditions");
  conditions.allow(["platform", "files", "programs", "env"]);
  return {
    platform: conditions.texts("platform"),
    files: conditions.texts("files"),
    programs: conditions.texts("programs"),
    env: conditions.texts("env"),
  };
}
