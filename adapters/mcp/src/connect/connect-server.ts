import { inertLine } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import type { Client, Tool as ServerTool, Transport } from "@modelcontextprotocol/client";
import { farewellMs, maxErrorLength, maxToolPages, maxToolsOfServer } from "../limits.ts";
import type { McpServer } from "../mcp-server.ts";
import { answerServer, capabilitiesFor } from "../asking/answer-server.ts";
import type { Sampler } from "../asking/sample.ts";
import type { RunningCalls } from "../link/running-calls.ts";
import { CredentialFile } from "../oauth/credential-file.ts";
import { StoredLogin } from "../oauth/stored-login.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { ProgramTransport } from "./program-transport.ts";
import { type ProgramSurroundings, startProgram } from "./start-program.ts";

export interface ConnectOptions extends ProgramSurroundings {
  /** Capstan's own, for the server. */
  readonly version: string;
  /** Where logins to servers are kept; absent: there are none. */
  readonly loginsFolder?: string;
  /** Asks the model on a server's behalf; absent: nobody does. */
  readonly sampler?: Sampler;
}

/** What a connection is part of. */
export interface ConnectionUse {
  readonly running: RunningCalls;
  /** The server has other tools than before. */
  readonly onToolsChanged: () => void;
  /** Ends the wait for a server that is not needed any more. */
  readonly closing: AbortSignal;
}

/** A server that answered, and the tools it has now. */
export interface Connection {
  readonly client: Client;
  readonly tools: readonly ServerTool[];
  /** Whether it says that it has something to read. */
  readonly hasResources: boolean;
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
  { running, onToolsChanged, closing }: ConnectionUse,
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
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeout)]);
    await client.connect(transport, { timeout, signal });
    // What it has to say is shown with the call that it says it of; a server that takes no level says what it likes.
    if (client.getServerCapabilities()?.logging !== undefined)
      client.setLoggingLevel("info", { signal }).catch(() => undefined);
    const hasResources = client.getServerCapabilities()?.resources !== undefined;
    return { client, tools: await listTools(client, signal), hasResources, isOver: () => isOver, explain, close };
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

async function openTransport({ name, place }: McpServer, options: ConnectOptions): Promise<Transport> {
  const { deserializeMessage, SSEClientTransport, StreamableHTTPClientTransport } =
    await import("@modelcontextprotocol/client");
  if (place.type === "program") return new ProgramTransport(await startProgram(place, options), deserializeMessage);
  const { url, headers, wire } = place;
  const { loginsFolder } = options;
  const login = loginTo(name, url, headers, loginsFolder);
  const common = {
    fetch: login === undefined ? refusing(name) : oauthFetch(url),
    requestInit: { headers: { ...headers } },
    ...(login === undefined ? {} : { authProvider: login }),
  };
  return wire === "sse"
    ? new SSEClientTransport(new URL(url), common)
    : new StreamableHTTPClientTransport(new URL(url), common);
}

/**
 * The login that a user has made. Whoever writes a credential of their own into the configuration means that one, and where nobody has logged in nothing
 * is begun: a session registers Capstan nowhere.
 */
function loginTo(
  name: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  folder: string | undefined,
): StoredLogin | undefined {
  const hasOwn = Object.keys(headers).some((header) => header.toLowerCase() === "authorization");
  if (hasOwn || folder === undefined) return undefined;
  const login = new StoredLogin(name, new CredentialFile(folder, name, url), null);
  return login.tokens() === undefined ? undefined : login;
}

/** A server that lets nobody in without a login says what to do. */
function refusing(name: string): typeof boundedFetch {
  return async (url, init) => {
    const response = await boundedFetch(url, init);
    if (response.status !== 401 || new Headers(init?.headers).has("authorization")) return response;
    await response.body?.cancel();
    throw new Error(`it wants you to log in: capstan mcp login ${name}`);
  };
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
