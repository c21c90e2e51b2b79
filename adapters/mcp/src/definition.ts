import { createHash } from "node:crypto";
import { inertText } from "@capstan/patterns";
import { canonicalJson, isJsonObject, type JsonObject, type ToolDefinition } from "@capstan/protocol";
import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import { maxDescriptionLength, maxSchemaLength } from "./limits.ts";

/** A tool of a server as Capstan knows it. */
export interface ServerDefinition {
  /** The server's name of it. */
  readonly name: string;
  readonly definition: ToolDefinition;
  /** As the server said it: its results are checked against that. */
  readonly said: ServerTool;
  /** SHA-256 of everything the server says about it, by part. */
  readonly parts: Readonly<Record<string, string>>;
}

/** @returns why it is left out, or what it is */
export function readDefinition(server: string, tool: ServerTool): ServerDefinition | string {
  const name = `mcp__${server}__${tool.name}`;
  if (!/^[A-Za-z0-9_-]+$/.test(tool.name) || name.length > 64)
    return 'its name must be letters, digits, "_" and "-", at most 64 with "mcp__" and the server\'s name';
  const inputSchema: unknown = JSON.parse(JSON.stringify(tool.inputSchema));
  if (!isJsonObject(inputSchema) || inputSchema["type"] !== "object") return "its inputSchema describes no object";
  if (JSON.stringify(inputSchema).length > maxSchemaLength) return `its inputSchema is longer than ${maxSchemaLength}`;
  if (JSON.stringify(tool.outputSchema ?? {}).length > maxSchemaLength)
    return `its outputSchema is longer than ${maxSchemaLength}`;
  const description = inertText(tool.description ?? tool.title ?? tool.name).slice(0, maxDescriptionLength);
  return {
    name: tool.name,
    said: tool,
    definition: { name, description, inputSchema, offered: "not-plan" },
    parts: {
      title: hash(tool.title),
      description: hash(tool.description),
      inputSchema: hash(tool.inputSchema),
      outputSchema: hash(tool.outputSchema),
      annotations: hash(tool.annotations),
    },
  };
}

/** Which parts are not what they were; none: it is the same tool. */
export function changedParts(
  before: Readonly<Record<string, unknown>>,
  { parts }: Pick<ServerDefinition, "parts">,
): readonly string[] {
  return Object.keys(parts).filter((part) => before[part] !== parts[part]);
}

/** What the parts are the hashes of, for people. */
export function shownParts({ said, definition, parts }: ServerDefinition): JsonObject {
  const { title, inputSchema, outputSchema, annotations } = said;
  const shown: unknown = JSON.parse(JSON.stringify({ title, inputSchema, outputSchema, annotations }));
  // Its description is kept as the model reads it.
  const all: JsonObject = isJsonObject(shown) ? { ...shown, description: definition.description } : {};
  return Object.fromEntries(Object.keys(parts).flatMap((part) => (all[part] === undefined ? [] : [[part, all[part]]])));
}

function hash(value: unknown): string {
  const plain: JsonObject = value === undefined ? {} : { value: JSON.parse(JSON.stringify(value)) };
  return createHash("sha256").update(canonicalJson(plain)).digest("hex");
}
