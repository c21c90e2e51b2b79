import { inertLine } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import { type Connection, type ConnectOptions, connectServer } from "../connect/connect-server.ts";
import { maxErrorLength, maxRestarts } from "../limits.ts";
import type { McpServer } from "../mcp-server.ts";
import { RunningCalls } from "./running-calls.ts";

/** The way to one server, made again where the server ended. */
export class ServerLink {
  readonly server: McpServer;
  readonly running: RunningCalls = new RunningCalls();
  readonly #options: ConnectOptions;
  readonly #onToolsChanged: () => void;
  #connection: Promise<Connection> | undefined;
  #starts = 0;
  #isClosed = false;
  #has: ReadonlySet<string> = new Set();

  constructor(server: McpServer, options: ConnectOptions, onToolsChanged: () => void) {
    this.server = server;
    this.#options = options;
    this.#onToolsChanged = onToolsChanged;
  }

  /** How often it was started: a server that was started again may be another one. */
  get starts(): number {
    return this.#starts;
  }

  /** Whether it said, when it was last connected to, that it has such things. */
  has(what: "resources" | "prompts"): boolean {
    return this.#has.has(what);
  }

  /** @throws Error in words for people */
  async connected(): Promise<Connection> {
    const open = await this.#connection?.catch(() => undefined);
    if (open !== undefined && !open.isOver()) return open;
    if (this.#isClosed) throw new Error("the session is over");
    if (this.#starts > maxRestarts) throw new Error(`it ended ${this.#starts} times, and is not started again`);
    this.#starts += 1;
    this.#connection = connectServer(this.server, this.#options, {
      running: this.running,
      onToolsChanged: this.#onToolsChanged,
    });
    // Whoever asked is informed; one that asks later makes it again.
    this.#connection.catch(() => undefined);
    const connection = await this.#connection;
    const capabilities = connection.client.getServerCapabilities() ?? {};
    this.#has = new Set((["resources", "prompts"] as const).filter((what) => capabilities[what] !== undefined));
    return connection;
  }

  /** Something asked of it beside the calls of its tools. @throws Error in words for people */
  async ask<Answer>(question: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    let connection: Connection | undefined;
    try {
      connection = await this.connected();
      return await question(connection);
    } catch (error) {
      const why = connection?.explain(error) ?? inertLine(messageOf(error), maxErrorLength);
      throw new Error(why, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }
}
