import type { Readable, Writable } from "node:stream";
import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  includesRole,
  isJsonObject,
  messageOf,
  type ToolDefinition,
} from "@capstan/protocol";
import { maxRequestLineBytes, StreamChannel } from "@capstan/remote";
import { type CallToolResult, Server, type ServerContext, type Tool } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { maxCallsInFlight } from "./limits.ts";
import { LineTransport } from "./line-transport.ts";
import { HeldSessions } from "./sessions/held-sessions.ts";
import { sessionTools } from "./sessions/session-tools.ts";
import type { CallResult, ServerTool } from "./tools/server-tool.ts";
import { WorkspaceTools } from "./workspace/workspace-tools.ts";

export interface McpServeOptions {
  readonly client: EngineClient;
  readonly input: Readable;
  /** Carries nothing but messages of the protocol. */
  readonly output: Writable;
  /** What the client may do. */
  readonly identity: ClientIdentity;
  readonly version: string;
  /** The tools of the workspace that are offered beside those about sessions. The engine knows the model of `relayModel`. */
  readonly workspaceTools: readonly ToolDefinition[];
  /** A model can be reached; without one sessions are looked at and answered, and none is begun or continued. */
  readonly hasModel: boolean;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** What a client's model should know, by whether it may hand answers on. */
function instructionsFor(mayAnswer: boolean): string {
  const way = mayAnswer
    ? "hand these to the user and answer with answer_session"
    : "hand these to the user, who answers them (capstan answer ID); inspect_session shows what came of it";
  return `Capstan runs agents in a workspace. begin_session gives one a task and returns its answer, or the questions that wait for a user; ${way}. Sessions are kept: continue_session continues one, also after a crash.`;
}

const withoutModel =
  "Capstan calls tools in a workspace, under its user's rules. What waits for a user's answer is named in the result of the call.";

/**
 * Serves the engine to the client at the other end of a pair of streams.
 * @returns when the input has ended and the sessions are given back, as they are; never throws
 */
export async function serveMcp(options: McpServeOptions): Promise<void> {
  const { client, identity, input, output, signal, workspaceTools, hasModel } = options;
  const held = new HeldSessions(client, identity);
  const parts = { client, identity, held };
  const all = [...sessionTools(parts, hasModel), ...new WorkspaceTools(parts, workspaceTools).tools];
  const tools = new Map(all.flatMap((tool) => (includesRole(identity.role, tool.role) ? [[tool.name, tool]] : [])));
  const stop = (): void => void input.destroy();
  output.on("error", stop);
  output.on("close", stop);
  signal.addEventListener("abort", stop);
  input.on("error", () => undefined);
  const channel = new StreamChannel({ input, output, maxLineBytes: maxRequestLineBytes, end: () => undefined });
  const transport = new LineTransport(channel);
  const calls = new Calls(tools);
  const handle = serveStdio(() => serverOf(options.version, tools, calls), { transport });
  await transport.ended;
  await handle.close();
  await held.close();
  await calls.settled();
  await channel.close();
  signal.removeEventListener("abort", stop);
  output.off("close", stop);
}

function serverOf(version: string, tools: ReadonlyMap<string, ServerTool>, calls: Calls): Server {
  const instructions = tools.has("begin_session") ? instructionsFor(tools.has("answer_session")) : withoutModel;
  const server = new Server({ name: "capstan", version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(listed) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    return await calls.run(name, args, context);
  });
  return server;
}

function listed({ name, description, inputSchema, outputSchema, isReading }: ServerTool): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: "object" } }),
    annotations: { readOnlyHint: isReading },
  };
}

/** The calls that are under way. */
class Calls {
  readonly #tools: ReadonlyMap<string, ServerTool>;
  readonly #running = new Set<Promise<unknown>>();

  constructor(tools: ReadonlyMap<string, ServerTool>) {
    this.#tools = tools;
  }

  async run(name: string, args: unknown, context: ServerContext): Promise<CallToolResult> {
    const tool = this.#tools.get(name);
    if (tool === undefined) return failed(`there is no tool ${JSON.stringify(name)}; tools/list names them`);
    if (this.#running.size >= maxCallsInFlight)
      return failed(`at most ${maxCallsInFlight} calls can be under way at once: wait for one`);
    const call = this.#call(tool, args, context);
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #call(tool: ServerTool, args: unknown, { mcpReq }: ServerContext): Promise<CallToolResult> {
    const { _meta: meta } = mcpReq;
    const token = meta?.progressToken;
    let progress = 0;
    try {
      if (!isJsonObject(args)) return failed("arguments: must be an object");
      const result = await tool.call(args, {
        signal: mcpReq.signal,
        progress(message) {
          if (token === undefined) return;
          progress += 1;
          const params = { progressToken: token, progress, message };
          void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
        },
      });
      return toResult(result);
    } catch (error) {
      const hint = error instanceof AppError && error.hint !== undefined ? ` ${error.hint}` : "";
      return failed(`${messageOf(error)}.${hint}`);
    }
  }
}

function toResult({ text, data, images = [], isError }: CallResult): CallToolResult {
  return {
    content: [
      { type: "text", text },
      ...images.map(({ mediaType, base64 }) => ({ type: "image" as const, mimeType: mediaType, data: base64 })),
    ],
    ...(data === undefined ? {} : { structuredContent: { ...data } }),
    ...(isError === undefined ? {} : { isError }),
  };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
