import type { Tool, ToolNotice, ToolResult, ToolRunContext } from "@capstan/ports";
import { inertLine } from "@capstan/patterns";
import { type Action, messageOf } from "@capstan/protocol";
import { callServer } from "./call-server.ts";
import { type Connection, type ConnectOptions, listTools } from "./connect/connect-server.ts";
import { readDefinition, type ServerDefinition } from "./definition.ts";
import { type DefinitionPins, pinsName } from "./definition-pins.ts";
import { offerFile, readOffer, writeOffer } from "./kept-offer.ts";
import { maxErrorLength, maxNamedTools, maxRenewals, maxSummaryLength } from "./limits.ts";
import { ServerLink } from "./link/server-link.ts";
import type { McpServer } from "./mcp-server.ts";
import { readingTool } from "./reading/reading-tool.ts";
import { shownLine } from "./shown-line.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ServerOptions extends ConnectOptions {
  readonly pins: DefinitionPins;
  readonly pinsFolder: string;
  /** Whether a server whose tools are known is started only when it is needed. */
  readonly startLater: boolean;
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
  #opening: Promise<string | null> | undefined;
  readonly #news: ToolNotice[] = [];
  readonly #reported = new Set<string>();

  constructor(server: McpServer, options: ServerOptions, onChange: () => void) {
    this.link = new ServerLink(server, options, {
      onConnected: ({ tools, hasResources }) => {
        this.#take(tools, hasResources);
        // Whoever connected to it: that it did not work before stops no call any more.
        this.#opening = Promise.resolve(null);
      },
      onToolsChanged: () => void this.#renew(),
    });
    this.#options = options;
    this.#onChange = onChange;
  }

  get deferTools(): boolean | null {
    return this.link.server.deferTools;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Takes the tools: as they are known, where that will do, and else from the server. Never throws. */
  async open(): Promise<void> {
    if (!this.#options.startLater || !this.#takeKnown()) await this.ready();
  }

  /** Connects to it, once. @returns why it does not work, for people; `null`: it does. Never throws */
  ready(): Promise<string | null> {
    return (this.#opening ??= this.#connect());
  }

  /** What people should know that they do not know yet. */
  takeNews(): readonly ToolNotice[] {
    return this.#news.splice(0);
  }

  async close(): Promise<void> {
    await this.link.close();
  }

  async #connect(): Promise<string | null> {
    try {
      await this.link.connected();
      return null;
    } catch (error) {
      const { name } = this.link.server;
      const why = inertLine(messageOf(error), maxErrorLength);
      const text = `the MCP server ${name} does not work, and its tools are left out: ${why}`;
      this.#tools = [];
      this.#tell([warning("mcp.unavailable", `${text}. Check [mcp_servers.${name}], or set enabled = false there`)]);
      this.#onChange();
      return why;
    }
  }

  /** Tools that are gone or say something else are left out from here on. */
  async #renew(): Promise<void> {
    this.#renewals += 1;
    // A server that changes without end is looked at no more: calls find out what is gone.
    if (this.#renewals > maxRenewals) return;
    try {
      const { client, hasResources } = await this.link.connected();
      this.#take(await listTools(client, AbortSignal.timeout(this.link.server.startupTimeoutMs)), hasResources);
    } catch {
      // What cannot be asked for is not offered.
      this.#tools = [];
      this.#onChange();
    }
  }

  /** The tools that it had when it was last connected to, if nothing there is unknown. @returns whether it is so */
  #takeKnown(): boolean {
    const { server } = this.link;
    const kept = readOffer(this.#offerFile, server);
    if (kept === null) return false;
    const { read, problems } = this.#read(kept.tools);
    try {
      if (problems.length > 0 || !this.#options.pins.areKnown(pinsName(server), read)) return false;
    } catch {
      // The connection says what is wrong with the file.
      return false;
    }
    this.#tools = this.#toolsOf(read, kept.hasResources);
    return true;
  }

  #take(listed: Connection["tools"], hasResources: boolean): void {
    const { server } = this.link;
    const { read, problems } = this.#read(listed);
    const { same, changed } = this.#options.pins.compare(pinsName(server), read);
    writeOffer(this.#offerFile, server, { tools: same.map(({ said }) => said), hasResources });
    this.#tools = this.#toolsOf(same, hasResources, read);
    this.#tell(this.#leftOut(problems));
    this.#tell(this.#changed(changed.map(({ tool, parts }) => `${tool.name} (${parts.join(", ")})`)));
    this.#onChange();
  }

  get #offerFile(): string {
    return offerFile(this.#options.pinsFolder, pinsName(this.link.server));
  }

  #read(listed: Connection["tools"]): { readonly read: readonly ServerDefinition[]; readonly problems: string[] } {
    const { name, enabledTools, disabledTools } = this.link.server;
    const problems: string[] = [];
    const read = new Map<string, ServerDefinition>();
    for (const tool of listed) {
      if (enabledTools?.includes(tool.name) === false || disabledTools.includes(tool.name)) continue;
      const found = read.has(tool.name) ? "it is there twice" : readDefinition(name, tool);
      if (typeof found === "string") problems.push(`${inertLine(tool.name, maxSummaryLength)} (${found})`);
      else read.set(found.name, found);
    }
    return { read: [...read.values()], problems };
  }

  /** @param all  also those that are left out: their names are taken */
  #toolsOf(
    offered: readonly ServerDefinition[],
    hasResources: boolean,
    all: readonly ServerDefinition[] = offered,
  ): readonly Tool[] {
    const names = all.map(({ name }) => name);
    const reading = hasResources ? readingTool(this.link, this.#options.outputBytes, names) : [];
    return [...offered.map((tool) => this.#adapt(tool)), ...reading];
  }

  /** Each once: a server that is started again has the same to say. */
  #tell(notices: readonly ToolNotice[]): void {
    for (const notice of notices) {
      if (this.#reported.has(notice.text)) continue;
      this.#reported.add(notice.text);
      this.#news.push(notice);
    }
  }

  #leftOut(problems: readonly string[]): readonly ToolNotice[] {
    if (problems.length === 0) return [];
    return [warning("mcp.left-out", `tools of the MCP server ${this.link.server.name} are left out: ${few(problems)}`)];
  }

  #changed(names: readonly string[]): readonly ToolNotice[] {
    if (names.length === 0) return [];
    const { name } = this.link.server;
    const text = `tools of the MCP server ${name} are not what they were when they were first used, and are left out: ${few(names)}`;
    const remedy = `See what they say now, and take it: capstan mcp approve ${name}`;
    return [{ level: "warning", code: "mcp.changed", text: `${text}. ${remedy}` }];
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
    const { link } = this;
    const why = await untilAborted(this.ready(), context.signal);
    if (why !== null)
      return { status: "failed", code: "tool.failed", content: `The MCP server ${link.server.name} failed: ${why}` };
    const { outputBytes } = this.#options;
    const isStill = (): boolean => this.#tools.some(({ definition }) => definition.name === tool.definition.name);
    return await callServer({ link, tool, action, context, outputBytes, isStill });
  }
}

function warning(code: ToolNotice["code"], text: string): ToolNotice {
  return { level: "warning", code, text };
}

function few(names: readonly string[]): string {
  const more = names.length > maxNamedTools ? `, and ${names.length - maxNamedTools} more` : "";
  return `${names.slice(0, maxNamedTools).join(", ")}${more}`;
}
