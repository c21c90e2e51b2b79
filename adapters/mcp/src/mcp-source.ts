import type { ToolSource } from "@capstan/ports";
import type { ConnectOptions } from "./connect/connect-server.ts";
import { DefinitionPins } from "./definition-pins.ts";
import { withDeferred } from "./defer-tools.ts";
import type { McpServer } from "./mcp-server.ts";
import { mcpReader, type McpReader } from "./reading/mcp-reader.ts";
import { type McpNotice, ServerTools } from "./server-tools.ts";

export interface McpOptions extends ConnectOptions {
  /** Where it is kept what tools were when they were first seen. */
  readonly pinsFolder: string;
  /** What one result may bring to the model. */
  readonly outputBytes: number;
  /** What definitions may take in a request; with more, tools wait until the model has found them. */
  readonly definitionBytes: number;
}

export interface OpenedMcp {
  readonly source: ToolSource;
  readonly reader: McpReader;
  /** What does not work, and what to do about it. */
  readonly notices: readonly McpNotice[];
}

/** Connects to all servers at the same time. One that fails is reported, and harms no other. */
export async function openMcpSource(servers: readonly McpServer[], options: McpOptions): Promise<OpenedMcp> {
  const subscribers = new Set<() => void>();
  const notify = (): void => {
    for (const subscriber of subscribers) subscriber();
  };
  const pins = new DefinitionPins(options.pinsFolder);
  const opened = servers.map((server) => new ServerTools(server, { ...options, pins }, notify));
  const notices = await Promise.all(opened.map(async (server) => await server.open()));
  const source: ToolSource = {
    label: "MCP servers",
    tools: () => withDeferred(opened, options.definitionBytes),
    reservedNames: () => [],
    subscribe(onChange) {
      // Wrapped, so that one function that subscribes twice is two subscribers.
      const subscriber = (): void => onChange();
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    async close() {
      subscribers.clear();
      await Promise.all(opened.map(async (server) => await server.close()));
    },
  };
  return { source, reader: mcpReader(opened.map(({ link }) => link)), notices: notices.flat() };
}
