import { inertLine } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import type { Client, Tool as ServerTool, Transport } from "@modelcontextprotocol/client";
import { farewellMs, maxErrorLength, maxToolPages, maxToolsOfServer } from "../limits.ts";
import type { McpServer } from "../mcp-server.ts";
import { answerServer, capabilitiesFor } from "../asking/answer-server.ts";
import type { Sampler } from "../asking/sample.ts";
import type { RunningCalls } from "../link/running-calls.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { ProgramTransport } from "./program-transport.ts";
import { type ProgramSurroundings, startProgram } from "./start-program.ts";

export interface ConnectOptions extends ProgramSurroundings {
  /** Capstan's own, for the server. */
  readonly version: string;
  /** Asks the model on a server's behalf; absent: nobody does. */
  readonly sampler?: Sampler;
}

/** What a connection is part of. */
export interface ConnectionUse {
  readonly running: RunningCalls;
  /** The server has other tools than before. */
  readonly onToolsChanged: () => void;
}

/** A server that answered, and the tools it has now. */
export interface Connection {
  readonly client: Client;
  readonly tools: readonly ServerTool[];
  /** Whether it ended, or was closed. */
  isOver(): boolean;
  /** What a failure means, with what is known of the server's end. */
  explain(error: unknown): string;
  close(): Promise<void>;
}

/**
 * Connects and asks for the tools.
 * @throws Error in words for people; then nothing of it runs
 */
export async function connectServer(
  server: McpServer,
  options: ConnectOptions,
  { running, onToolsChanged }: ConnectionUse,
): Promise<Connection> {
  const { Client: Connecting } = await import("@modelcontextprotocol/client");
  const transport = await openTransport(server, options);
  const { version, workspace, sampler } = options;
  const requests = { running, workspace, ...(sampler === undefined ? {} : { sampler }) };
  const client = new Connecting({ name: "capstan", version }, { capabilities: capabilitiesFor(server, requests) });
  answerServer(client, server, requests);
  let isOver = false;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onclose = () => (isOver = true);
  // Malformed and unexpected messages: the request they belong to fails, or times out.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onerror = () => undefined;
  client.setNotificationHandler("notifications/tools/list_changed", () => onToolsChanged());
  const explain = (error: unknown): string => {
    const ended = isOver && transport instanceof ProgramTransport ? transport.lastWords() : undefined;
    return inertLine(ended ?? messageOf(error), maxErrorLength);
  };
  const close = async (): Promise<void> => await farewell(client, transport);
  try {
    const timeout = server.startupTimeoutMs;
    const signal = AbortSignal.timeout(timeout);
    await client.connect(transport, { timeout, signal });
    // What it has to say is shown with the call that it says it of; a server that takes no level says what it likes.
    if (client.getServerCapabilities()?.logging !== undefined)
      client.setLoggingLevel("info", { signal }).catch(() => undefined);
    return { client, tools: await listTools(client, signal), isOver: () => isOver, explain, close };
  } catch (error) {
    const why = explain(error);
    await close();
    throw new Error(why, { cause: error });
  }
}

/** Every page of the list, within limits; none where the server has no tools. */
export async function listTools(client: Client, signal: AbortSignal): Promise<readonly ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: ServerTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxToolPages && tools.length < maxToolsOfServer; page += 1) {
    const answer = await client.request(
      { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
      { signal },
    );
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, maxToolsOfServer);
}

async function openTransport({ place }: McpServer, options: ConnectOptions): Promise<Transport> {
  const { deserializeMessage, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  if (place.type === "program") return new ProgramTransport(await startProgram(place, options), deserializeMessage);
  return new StreamableHTTPClientTransport(new URL(place.url), {
    fetch: boundedFetch,
    requestInit: { headers: place.headers },
  });
}

/** A server over HTTP is informed that its session ends, and not waited for any longer than that takes it at best. */
async function farewell(client: Client, transport: Transport): Promise<void> {
  if ("terminateSession" in transport && typeof transport.terminateSession === "function") {
    const informed: Promise<unknown> = Promise.resolve(transport.terminateSession()).catch(() => undefined);
    await Promise.race([informed, elapsed(farewellMs)]);
  }
  await client.close().catch(() => undefined);
  // A client that never connected does not close what it was given.
  await transport.close().catch(() => undefined);
}

async function elapsed(ms: number): Promise<void> {
  await new Promise<void>((done) => void setTimeout(done, ms).unref());
}
