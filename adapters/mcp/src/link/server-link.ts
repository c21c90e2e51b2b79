import { inertLine } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import { type Connection, type ConnectOptions, connectServer } from "../connect/connect-server.ts";
import { maxErrorLength, maxRestarts } from "../limits.ts";
import type { McpServer } from "../mcp-server.ts";
import { RunningCalls } from "./running-calls.ts";

/** What follows from what a server has. */
export interface LinkListener {
  /** It was connected to. Comes before whoever asked for the connection continues. */
  readonly onConnected: (connection: Connection) => void;
  readonly onToolsChanged: () => void;
}

/** The way to one server, made when it is first needed, and again where the server ended. */
export class ServerLink {
  readonly server: McpServer;
  readonly running: RunningCalls = new RunningCalls();
  readonly #options: ConnectOptions;
  readonly #listener: LinkListener;
  readonly #closing = new AbortController();
  #connection: Promise<Connection> | undefined;
  #starts = 0;

  constructor(server: McpServer, options: ConnectOptions, listener: LinkListener) {
    this.server = server;
    this.#options = options;
    this.#listener = listener;
  }

  /** @throws Error in words for people */
  async connected(): Promise<Connection> {
    const tried = this.#connection;
    const open = await tried?.catch(() => undefined);
    if (open !== undefined && !open.isOver()) return open;
    // Of several that find none, the first one makes it.
    if (this.#connection !== tried) return await this.connected();
    if (this.#closing.signal.aborted) throw new Error("the session is over");
    if (this.#starts > maxRestarts) throw new Error(`it ended ${this.#starts} times, and is not started again`);
    this.#starts += 1;
    this.#connection = this.#connect();
    return await this.#connection;
  }

  async #connect(): Promise<Connection> {
    const connection = await connectServer(this.server, this.#options, {
      running: this.running,
      onToolsChanged: this.#listener.onToolsChanged,
      closing: this.#closing.signal,
    });
    try {
      this.#listener.onConnected(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
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
    this.#closing.abort();
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }
}
