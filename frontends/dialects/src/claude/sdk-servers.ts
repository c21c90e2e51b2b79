import { isJsonObject, type JsonObject, type JsonValue, messageOf } from "@capstan/protocol";
import type { ControlChannel } from "./control-channel.ts";

/** A tool of a server that lives in the program. */
export interface SdkTool {
  /** `mcp__SERVER__TOOL`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly effect: "execute";
  execute(
    args: JsonObject,
    context: { readonly signal: AbortSignal },
  ): Promise<{ readonly content: string; readonly details?: JsonValue; readonly failed?: boolean }>;
}

/** A server of the program, as `mcp_status` and the first line name it. */
export interface SdkServer {
  readonly name: string;
  readonly status: "connected" | "failed";
  readonly error?: string;
  readonly tools: readonly SdkTool[];
}

/** MCP's revision that is spoken with the program's servers. */
const protocolVersion = "2025-11-25";
/** Pages of a list of tools that are read. */
const maxPages = 50;
/** What models' vendors take as the name of a tool. */
const maxNameCharacters = 64;

/** A server's messages go through control requests. */
class Session {
  readonly #control: ControlChannel;
  readonly #server: string;
  #next = 0;

  constructor(control: ControlChannel, server: string) {
    this.#control = control;
    this.#server = server;
  }

  /** @throws {Error} with the server's words */
  async call(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const id = this.#next;
    this.#next += 1;
    const reply = await this.#send({ jsonrpc: "2.0", id, method, params }, signal);
    if (reply === null) {
      signal.throwIfAborted();
      throw new Error("the program has gone");
    }
    const { error, result } = isJsonObject(reply["mcp_response"]) ? reply["mcp_response"] : {};
    if (isJsonObject(error)) throw new Error(typeof error["message"] === "string" ? error["message"] : "it failed");
    return isJsonObject(result) ? result : {};
  }

  async notify(method: string, signal: AbortSignal): Promise<void> {
    await this.#send({ jsonrpc: "2.0", method }, signal);
  }

  async #send(message: JsonObject, signal: AbortSignal): Promise<JsonObject | null> {
    return await this.#control.request({ subtype: "mcp_message", server_name: this.#server, message }, signal);
  }
}

/**
 * The servers that a program names, with their tools: as it hands them over, or as they say when they are asked.
 * @param manifests  what the program has asked its servers already
 */
export async function openSdkServers(
  names: readonly string[],
  manifests: JsonObject,
  control: ControlChannel,
): Promise<readonly SdkServer[]> {
  return await Promise.all(names.map(async (name) => await openServer(name, manifests[name], control)));
}

async function openServer(name: string, manifest: JsonValue | undefined, control: ControlChannel): Promise<SdkServer> {
  const session = new Session(control, name);
  const { signal } = new AbortController();
  try {
    const listed = knownTools(manifest) ?? (await askedTools(session, signal));
    return { name, status: "connected", tools: listed.flatMap((tool) => sdkTool(name, tool, session)) };
  } catch (error) {
    return { name, status: "failed", error: messageOf(error), tools: [] };
  }
}

function knownTools(manifest: JsonValue | undefined): readonly JsonObject[] | undefined {
  const result = isJsonObject(manifest) ? manifest["toolsListResult"] : undefined;
  const tools = isJsonObject(result) ? result["tools"] : undefined;
  return Array.isArray(tools) ? tools.filter((tool) => isJsonObject(tool)) : undefined;
}

async function askedTools(session: Session, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const clientInfo = { name: "capstan", version: "1" };
  await session.call("initialize", { protocolVersion, capabilities: {}, clientInfo }, signal);
  await session.notify("notifications/initialized", signal);
  let tools: readonly JsonObject[] = [];
  let cursor: JsonValue | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const result = await session.call("tools/list", cursor === undefined ? {} : { cursor }, signal);
    const { tools: found, nextCursor } = result;
    tools = [...tools, ...(Array.isArray(found) ? found.filter((tool) => isJsonObject(tool)) : [])];
    if (typeof nextCursor !== "string") break;
    cursor = nextCursor;
  }
  return tools;
}

/** A tool whose name no vendor takes is left out. */
function sdkTool(server: string, tool: JsonObject, session: Session): readonly SdkTool[] {
  const { name, description = "", inputSchema } = tool;
  if (typeof name !== "string" || !isJsonObject(inputSchema)) return [];
  const full = `mcp__${server}__${name}`;
  if (!/^[\w-]+$/.test(full) || full.length > maxNameCharacters) return [];
  const { $schema: _draft, ...schema } = inputSchema;
  return [
    {
      name: full,
      description: typeof description === "string" ? description : "",
      inputSchema: { ...schema, type: "object" },
      effect: "execute",
      execute: async (args, { signal }) =>
        resultOf(await session.call("tools/call", { name, arguments: args }, signal)),
    },
  ];
}

function resultOf({ content, structuredContent, isError }: JsonObject): Awaited<ReturnType<SdkTool["execute"]>> {
  const blocks = Array.isArray(content) ? content.filter((block) => isJsonObject(block)) : [];
  const text = blocks.map(textOf).join("\n");
  const said = text === "" && structuredContent !== undefined ? JSON.stringify(structuredContent) : text;
  return {
    content: said,
    ...(structuredContent === undefined ? {} : { details: structuredContent }),
    ...(isError === true ? { failed: true } : {}),
  };
}

/** Models read text; of anything else they learn that it was there. */
function textOf(block: JsonObject): string {
  const { type, text, mimeType, resource, uri } = block;
  if (typeof text === "string") return text;
  if (isJsonObject(resource) && typeof resource["text"] === "string") return resource["text"];
  const kind = [mimeType, type].find((one) => typeof one === "string") ?? "something";
  return `[${kind}${typeof uri === "string" ? ` ${uri}` : ""} is not shown]`;
}
