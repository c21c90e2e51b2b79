import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { type AnnouncedHook, announcedHooks } from "./program-hooks.ts";

/** What a program says before its first message. */
export interface Initialization {
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly title?: string;
  readonly hooks: readonly AnnouncedHook[];
  readonly sdkServers: readonly string[];
  readonly manifests: JsonObject;
  /** Servers for Capstan to run, as in a `.mcp.json`. */
  readonly mcpServers: JsonObject;
  readonly jsonSchema?: JsonObject;
  /** What is left out, a sentence each. */
  readonly warnings: readonly string[];
}

export const nothingSaid: Initialization = { hooks: [], sdkServers: [], manifests: {}, mcpServers: {}, warnings: [] };

/** Fields that would change what happens, and cannot here. */
const leftOut: readonly string[] = ["agents", "toolAliases", "plugins", "planModeInstructions", "skills"];

/** @returns in words what cannot be done, where leaving it out would be dangerous */
export function readInitialize(request: JsonObject): Initialization | string {
  const { hooks, systemPrompt, appendSystemPrompt, title, sdkMcpServers, sdkMcpServerManifests, mcpServers } = request;
  // A hook may be what keeps a call from running: to run without it would be worse than not to run.
  const announced = announcedHooks(hooks);
  if (typeof announced === "string") return announced;
  const prompt = Array.isArray(systemPrompt) ? systemPrompt.filter((part) => typeof part === "string") : [];
  const { jsonSchema } = request;
  return {
    ...(prompt.length === 0 ? {} : { systemPrompt: prompt.join("\n\n") }),
    ...(typeof appendSystemPrompt === "string" ? { appendSystemPrompt } : {}),
    ...(typeof title === "string" ? { title } : {}),
    ...(isJsonObject(jsonSchema) ? { jsonSchema } : {}),
    hooks: announced,
    sdkServers: namesIn(sdkMcpServers),
    manifests: isJsonObject(sdkMcpServerManifests) ? sdkMcpServerManifests : {},
    mcpServers: isJsonObject(mcpServers) ? mcpServers : {},
    warnings: leftOut
      .filter((field) => request[field] !== undefined)
      .map((field) => `initialize: ${field} means nothing here and is left out`),
  };
}

function namesIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
