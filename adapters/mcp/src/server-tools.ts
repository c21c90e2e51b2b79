import type { Tool, ToolResult, ToolRunContext } from "@capstan/ports";
import { inertLine } from "@capstan/patterns";
import { type Action, type JsonObject, messageOf, type NoticeRecord } from "@capstan/protocol";
import { type Connection, type ConnectOptions, connectServer, listTools } from "./connect/connect-server.ts";
import { readDefinition, type ServerDefinition } from "./definition.ts";
import type { DefinitionPins } from "./definition-pins.ts";
import { maxErrorLength, maxNamedTools, maxRestarts, maxSummaryLength } from "./limits.ts";
import type { McpServer } from "./mcp-server.ts";
import { toToolResult } from "./result-text.ts";
import { shownLine } from "./shown-line.ts";

export type McpNotice = Omit<NoticeRecord, "type">;

export interface ServerOptions extends ConnectOptions {
  readonly pins: DefinitionPins;
  /** What one result may bring to the model. */
  readonly outputBytes: number;
}

/** One server: its connection, and the tools it offers as long as they stay what they were. */
export class ServerTools {
  readonly #server: McpServer;
  readonly #options: ServerOptions;
  readonly #onChange: () => void;
  #connection: Promise<Connection> | undefined;
  #starts = 0;
  #isClosed = false;
  #tools: readonly Tool[] = [];

  constructor(server: McpServer, options: ServerOptions, onChange: () => void) {
    this.#server = server;
    this.#options = options;
    this.#onChange = onChange;
  }

  get deferTools(): boolean | null {
    return this.#server.deferTools;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Connects, and takes the tools. @returns what went wrong, for people; never throws */
  async open(): Promise<readonly McpNotice[]> {
    const { name } = this.#server;
    try {
      return this.#take((await this.#connected()).tools);
    } catch (error) {
      const text = `the MCP server ${name} does not work, and its tools are left out: ${inertLine(messageOf(error), maxErrorLength)}`;
      return [
        {
          level: "warning",
          code: "mcp.unavailable",
          text: `${text}. Check [mcp_servers.${name}], or set enabled = false there`,
        },
      ];
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** The connection, made again where the server ended. */
  async #connected(): Promise<Connection> {
    const open = await this.#connection?.catch(() => undefined);
    if (open !== undefined && !open.isOver()) return open;
    if (this.#isClosed) throw new Error("the session is over");
    if (this.#starts > maxRestarts) throw new Error(`it ended ${this.#starts} times, and is not started again`);
    this.#starts += 1;
    this.#connection = connectServer(this.#server, this.#options, () => void this.#renew());
    // Whoever asked is informed; one that asks later makes it again.
    this.#connection.catch(() => undefined);
    return await this.#connection;
  }

  /** Tools that are gone or say something else are left out from here on. */
  async #renew(): Promise<void> {
    try {
      const connection = await this.#connected();
      this.#take(await listTools(connection.client, AbortSignal.timeout(this.#server.startupTimeoutMs)));
    } catch {
      // What cannot be asked for is not offered.
      this.#tools = [];
    }
    this.#onChange();
  }

  #take(listed: Connection["tools"]): readonly McpNotice[] {
    const { name, enabledTools, disabledTools } = this.#server;
    const problems: string[] = [];
    const read = new Map<string, ServerDefinition>();
    for (const tool of listed) {
      if (enabledTools?.includes(tool.name) === false || disabledTools.includes(tool.name)) continue;
      const found = read.has(tool.name) ? "it is there twice" : readDefinition(name, tool);
      if (typeof found === "string") problems.push(`${inertLine(tool.name, maxSummaryLength)} (${found})`);
      else read.set(found.name, found);
    }
    const { same, changed } = this.#options.pins.compare(pinsName(this.#server), [...read.values()]);
    this.#tools = same.map((tool) => this.#adapt(tool));
    return [
      ...this.#leftOut(problems),
      ...this.#changed(changed.map(({ tool, parts }) => `${tool.name} (${parts.join(", ")})`)),
    ];
  }

  #leftOut(problems: readonly string[]): readonly McpNotice[] {
    if (problems.length === 0) return [];
    return [
      {
        level: "warning",
        code: "mcp.left-out",
        text: `tools of the MCP server ${this.#server.name} are left out: ${few(problems)}`,
      },
    ];
  }

  #changed(names: readonly string[]): readonly McpNotice[] {
    if (names.length === 0) return [];
    const { name } = this.#server;
    const text = `tools of the MCP server ${name} are not what they were when they were first used, and are left out: ${few(names)}`;
    return [
      {
        level: "warning",
        code: "mcp.changed",
        text: `${text}. To take them as they are now, remove ${this.#options.pins.fileOf(pinsName(this.#server))}`,
      },
    ];
  }

  #adapt(tool: ServerDefinition): Tool {
    const { definition } = tool;
    return {
      definition,
      aliases: [],
      // What a server says of its own tools (`readOnlyHint`) grants nothing.
      effect: "execute",
      prepare: async (args) =>
        await Promise.resolve({
          tool: definition.name,
          arguments: structuredClone(args),
          effect: "execute",
          risk: "high",
          paths: [],
          summary: shownLine(`${definition.name} ${JSON.stringify(args)}`, maxSummaryLength),
        }),
      run: async (action, _staged, context) => await this.#call(tool, action, context),
    };
  }

  async #call(tool: ServerDefinition, action: Action, context: ToolRunContext): Promise<ToolResult> {
    context.signal.throwIfAborted();
    let connection: Connection | undefined;
    try {
      const before = this.#starts;
      connection = await this.#connected();
      // A server that was started again may be another one.
      if (this.#starts !== before) this.#take(connection.tools);
      if (!this.#tools.some(({ definition }) => definition.name === tool.definition.name))
        throw new Error(`the tool ${tool.name} is gone, or not what it was when it was offered`);
      const args: JsonObject = structuredClone(action.arguments);
      const answer = await connection.client.callTool(
        { name: tool.name, arguments: { ...args } },
        {
          signal: context.signal,
          timeout: this.#server.toolTimeoutMs,
          toolDefinition: tool.said,
          onprogress: ({ message }) => {
            if (message !== undefined && !context.signal.aborted)
              context.onOutput("stdout", `${inertLine(message, maxSummaryLength)}\n`);
          },
        },
      );
      return toToolResult(this.#server.name, answer, this.#options.outputBytes);
    } catch (error) {
      context.signal.throwIfAborted();
      const why = connection?.explain(error) ?? inertLine(messageOf(error), maxErrorLength);
      return { status: "failed", code: "tool.failed", content: `The MCP server ${this.#server.name} failed: ${why}` };
    }
  }
}

function few(names: readonly string[]): string {
  const more = names.length > maxNamedTools ? `, and ${names.length - maxNamedTools} more` : "";
  return `${names.slice(0, maxNamedTools).join(", ")}${more}`;
}

/** What its tools were is kept apart from that of another's server of its name. */
function pinsName({ name, owner }: McpServer): string {
  return owner === undefined ? name : `${name}.${owner}`;
}
