import type { ToolNotice, ToolSource } from "@capstan/ports";
import type { ConnectOptions } from "./connect/connect-server.ts";
import { DefinitionPins } from "./definition-pins.ts";
import { withDeferred } from "./defer-tools.ts";
import { startsAfterMs } from "./limits.ts";
import type { McpServer } from "./mcp-server.ts";
import { mcpReader, type McpReader } from "./reading/mcp-reader.ts";
import { ServerTools } from "./server-tools.ts";

export interface McpOptions extends ConnectOptions {
  /** Where it is kept what tools were when they were first seen. */
  readonly pinsFolder: string;
  /** What one result may bring to the model. */
  readonly outputBytes: number;
  /** What definitions may take in a request; with more, tools wait until the model has found them. */
  readonly definitionBytes: number;
  /** Whether a server whose tools are known is started only when it is needed: at its first call, or when the source is to be made ready. */
  readonly startLater?: boolean;
}

export interface OpenedMcp {
  readonly source: ToolSource;
  readonly reader: McpReader;
  /** What does not work, and what to do about it. */
  readonly notices: readonly ToolNotice[];
}

/** Opens all servers at the same time. One that fails is reported, and harms no other. */
export async function openMcpSource(servers: readonly McpServer[], options: McpOptions): Promise<OpenedMcp> {
  const subscribers = new Set<(news: readonly ToolNotice[]) => void>();
  const takeNews = (): readonly ToolNotice[] => opened.flatMap((server) => server.takeNews());
  const notify = (): void => {
    if (subscribers.size === 0) return;
    const news = takeNews();
    for (const subscriber of subscribers) subscriber(news);
  };
  const surroundings = { ...options, startLater: options.startLater === true };
  const pins = new DefinitionPins(options.pinsFolder);
  const opened = servers.map((server) => new ServerTools(server, { ...surroundings, pins }, notify));
  await Promise.all(opened.map(async (server) => await server.open()));
  const source: ToolSource = {
    label: "MCP servers",
    tools: () => withDeferred(opened, options.definitionBytes),
    reservedNames: () => [],
    subscribe(onChange) {
      // Wrapped, so that one function that subscribes twice is two subscribers.
      const subscriber = (news: readonly ToolNotice[]): void => onChange(news);
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    prepare() {
      setTimeout(() => {
        for (const server of opened) void server.ready();
      }, startsAfterMs).unref();
    },
    async close() {
      subscribers.clear();
      await Promise.all(opened.map(async (server) => await server.close()));
    },
  };
  return { source, reader: mcpReader(opened.map(({ link }) => link)), notices: takeNews() };
}
