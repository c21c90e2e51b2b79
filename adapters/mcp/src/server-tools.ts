import type { Tool } from "@capstan/ports";
import { inertLine } from "@capstan/patterns";
import { messageOf, type NoticeRecord } from "@capstan/protocol";
import { callServer } from "./call-server.ts";
import { type Connection, type ConnectOptions, listTools } from "./connect/connect-server.ts";
import { readDefinition, type ServerDefinition } from "./definition.ts";
import { type DefinitionPins, pinsName } from "./definition-pins.ts";
import { maxErrorLength, maxNamedTools, maxRenewals, maxSummaryLength } from "./limits.ts";
import { ServerLink } from "./link/server-link.ts";
import type { McpServer } from "./mcp-server.ts";
import { readingTool } from "./reading/reading-tool.ts";
import { shownLine } from "./shown-line.ts";

export type McpNotice = Omit<NoticeRecord, "type">;

export interface ServerOptions extends ConnectOptions {
  readonly pins: DefinitionPins;
  /** What one result may bring to the model. */
  readonly outputBytes: number;
}

/** One server: its connection, and the tools it offers as long as they stay what they were. */
export class ServerTools {
  readonly link: ServerLink;
  readonly #options: ServerOptions;
  readonly #onChange: () => void;
  #tools: readonly Tool[] = [];
  #renewals = 0;

  constructor(server: McpServer, options: ServerOptions, onChange: () => void) {
    this.link = new ServerLink(server, options, () => void this.#renew());
    this.#options = options;
    this.#onChange = onChange;
  }

  get deferTools(): boolean | null {
    return this.link.server.deferTools;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Connects, and takes the tools. @returns what went wrong, for people; never throws */
  async open(): Promise<readonly McpNotice[]> {
    const { name } = this.link.server;
    try {
      return this.#take((await this.link.connected()).tools);
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
    await this.link.close();
  }

  /** Tools that are gone or say something else are left out from here on. */
  async #renew(): Promise<void> {
    this.#renewals += 1;
    // A server that changes without end is looked at no more: calls find out what is gone.
    if (this.#renewals > maxRenewals) return;
    try {
      const { client } = await this.link.connected();
      this.#take(await listTools(client, AbortSignal.timeout(this.link.server.startupTimeoutMs)));
    } catch {
      // What cannot be asked for is not offered.
      this.#tools = [];
    }
    this.#onChange();
  }

  #take(listed: Connection["tools"]): readonly McpNotice[] {
    const { name, enabledTools, disabledTools } = this.link.server;
    const problems: string[] = [];
    const read = new Map<string, ServerDefinition>();
    for (const tool of listed) {
      if (enabledTools?.includes(tool.name) === false || disabledTools.includes(tool.name)) continue;
      const found = read.has(tool.name) ? "it is there twice" : readDefinition(name, tool);
      if (typeof found === "string") problems.push(`${inertLine(tool.name, maxSummaryLength)} (${found})`);
      else read.set(found.name, found);
    }
    const { same, changed } = this.#options.pins.compare(pinsName(this.link.server), [...read.values()]);
    const tools = same.map((tool) => this.#adapt(tool));
    this.#tools = [...tools, ...readingTool(this.link, this.#options.outputBytes, [...read.keys()])];
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
        text: `tools of the MCP server ${this.link.server.name} are left out: ${few(problems)}`,
      },
    ];
  }

  #changed(names: readonly string[]): readonly McpNotice[] {
    if (names.length === 0) return [];
    const { name } = this.link.server;
    const text = `tools of the MCP server ${name} are not what they were when they were first used, and are left out: ${few(names)}`;
    return [
      {
        level: "warning",
        code: "mcp.changed",
        text: `${text}. See what they say now, and take it: capstan mcp approve ${name}`,
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
      run: async (action, _staged, context) =>
        await callServer({
          link: this.link,
          tool,
          action,
          context,
          outputBytes: this.#options.outputBytes,
          isStill: (restarted) => this.#isStill(tool, restarted),
        }),
    };
  }

  /** The tool as it is now, should its server have been started again since it was offered. */
  #isStill(tool: ServerDefinition, restarted: Connection | null): boolean {
    if (restarted !== null) this.#take(restarted.tools);
    return this.#tools.some(({ definition }) => definition.name === tool.definition.name);
  }
}

function few(names: readonly string[]): string {
  const more = names.length > maxNamedTools ? `, and ${names.length - maxNamedTools} more` : "";
  return `${names.slice(0, maxNamedTools).join(", ")}${more}`;
}
