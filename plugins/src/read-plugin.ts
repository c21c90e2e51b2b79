import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { maxDefinitionBytes, maxServicesOfPlugin, maxToolsOfPlugin } from "./limits.ts";

/** What a plugin says of itself. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Names of plugins that are initialized before it. */
  readonly dependencies: readonly string[];
  /** The versions of Capstan that it is for, as a range. */
  readonly engine?: string;
}

/** A tool as a plugin describes it. */
export interface PluginTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** What the details of its results are. */
  readonly outputSchema?: JsonObject;
  readonly effect: "read" | "write" | "execute";
}

/** What a plugin registered. */
export interface PluginParts {
  readonly tools: readonly PluginTool[];
  readonly services: JsonObject;
}

/** What a call of a plugin's tool came to. */
export interface PluginResult {
  readonly content: string;
  readonly details?: JsonValue;
  readonly failed: boolean;
}

const pluginName = /^[A-Za-z0-9@][\w@/.-]{0,99}$/;
const toolName = /^[A-Za-z_][\w-]{0,63}$/;

/** @throws Error in words for people */
export function readManifest(value: JsonValue): PluginManifest {
  const { name, version, description = "", dependencies, engine } = objectOf(value, "its default export");
  if (typeof name !== "string" || !pluginName.test(name))
    throw new Error("name: its default export needs one, of letters, digits, - and _");
  if (typeof version !== "string" || version === "" || version.length > 100)
    throw new Error('version: its default export needs one, such as "1.0.0"');
  if (!isTextList(dependencies)) throw new Error("dependencies: a list of names of plugins");
  if (engine != null && typeof engine !== "string") throw new Error('engine: a range of versions, such as ">=0.1 <1"');
  return {
    name,
    version,
    description: typeof description === "string" ? description : "",
    dependencies,
    ...(engine == null ? {} : { engine }),
  };
}

/** @throws Error in words for people */
export function readParts(value: JsonValue): PluginParts {
  const { tools, services } = objectOf(value, "what it registered");
  if (!Array.isArray(tools) || tools.length > maxToolsOfPlugin)
    throw new Error(`it may register ${maxToolsOfPlugin} tools`);
  const registered = objectOf(services ?? {}, "its services");
  if (Object.keys(registered).length > maxServicesOfPlugin)
    throw new Error(`it may register ${maxServicesOfPlugin} services`);
  return { tools: tools.map((tool: JsonValue) => readTool(tool)), services: registered };
}

/** @throws Error in words for the model */
export function readResult(value: JsonValue): PluginResult {
  const { content, details, failed } = isJsonObject(value) ? value : {};
  if (typeof content !== "string") throw new Error("its result is neither a text nor { content }");
  return { content, failed: failed === true, ...(details === undefined ? {} : { details }) };
}

function readTool(value: JsonValue): PluginTool {
  const { name, description, inputSchema, outputSchema, effect } = objectOf(value, "a tool");
  if (typeof name !== "string" || !toolName.test(name) || name.startsWith("mcp__"))
    throw new Error(`a tool needs a name of letters, digits, - and _, and not ${JSON.stringify(name ?? null)}`);
  if (typeof description !== "string") throw new Error(`the tool ${name} needs a description`);
  if (!isJsonObject(inputSchema) || inputSchema["type"] !== "object")
    throw new Error(`the inputSchema of the tool ${name} must be a JSON Schema of type "object"`);
  if (outputSchema !== undefined && !isJsonObject(outputSchema))
    throw new Error(`the outputSchema of the tool ${name} must be a JSON Schema`);
  if (effect !== "read" && effect !== "write" && effect !== "execute")
    throw new Error(`the effect of the tool ${name} must be "read", "write" or "execute"`);
  if (Buffer.byteLength(description + JSON.stringify([inputSchema, outputSchema])) > maxDefinitionBytes)
    throw new Error(`description and schemas of the tool ${name} have more than ${maxDefinitionBytes} bytes`);
  return { name, description, inputSchema, effect, ...(outputSchema === undefined ? {} : { outputSchema }) };
}

function objectOf(value: JsonValue, what: string): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${what} is no object`);
  return value;
}

function isTextList(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item: JsonValue) => typeof item === "string");
}
