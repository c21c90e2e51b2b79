/** The official client of the protocol, which drives the real binary. */
import {
  type CallToolResult,
  Client,
  deserializeMessage,
  type JSONRPCMessage,
  type RequestOptions,
  type Transport,
} from "@modelcontextprotocol/client";
import { isJsonObject } from "@capstan/protocol";
import { expect } from "vitest";
import type { Place, Stage } from "../stage/place.ts";
import type { RunningCapstan } from "../stage/run-capstan.ts";

class PipeTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: NonNullable<Transport["onclose"]>;
  readonly #running: RunningCapstan;
  #rest = "";

  constructor(running: RunningCapstan) {
    this.#running = running;
  }

  async start(): Promise<void> {
    this.#running.onStdout((piece) => {
      const lines = (this.#rest + piece.toString("utf8")).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.onmessage?.(deserializeMessage(line));
    });
    void this.#running.ended.then(() => this.onclose?.());
    await Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#running.write(`${JSON.stringify(message)}\n`);
    await Promise.resolve();
  }

  async close(): Promise<void> {
    this.#running.endInput();
    await this.#running.ended;
  }
}

/** @see connectClient */
export interface ConnectedClient {
  readonly client: Client;
  readonly process: RunningCapstan;
  /** A call, which must not fail; its data. */
  readonly data: (name: string, args?: object, options?: RequestOptions) => Promise<Readonly<Record<string, unknown>>>;
  readonly call: (name: string, args?: object, options?: RequestOptions) => Promise<CallToolResult>;
}

/** Starts `capstan mcp serve`, and connects to it. */
export async function connectClient(
  place: Place,
  stage: Pick<Stage, "env">,
  args: readonly string[] = [],
): Promise<ConnectedClient> {
  const flags = ["mcp", "serve", "-m", "anthropic/rehearsal", "--set", "retry.base_delay_ms=1", ...args];
  const process = place.start(flags, { env: stage.env, holdInput: true });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new PipeTransport(process));
  const call: ConnectedClient["call"] = async (name, given = {}, options = {}) =>
    await client.callTool({ name, arguments: { ...given } }, options);
  return {
    client,
    process,
    call,
    async data(name, given, options) {
      const result = await call(name, given, options);
      expect(result.isError === true ? textOf(result) : "").toBe("");
      const { structuredContent: content } = result;
      return isJsonObject(content) ? content : {};
    },
  };
}

/** The list's newest session, by id. */
export async function newestSession({ data }: Pick<ConnectedClient, "data">): Promise<string> {
  const { sessions } = await data("list_sessions");
  const [first]: readonly unknown[] = Array.isArray(sessions) ? sessions : [];
  if (!isJsonObject(first) || typeof first["id"] !== "string") throw new Error("there is no session");
  return first["id"];
}

/** Session and question that a text names. */
export function asked(result: CallToolResult): { readonly session: string; readonly question: string } {
  const [, session = "", question = ""] = /session (\S+) waits[^]*?Question (\S+)/.exec(textOf(result)) ?? [];
  return { session, question };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
}
