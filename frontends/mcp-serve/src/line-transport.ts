import type { LineChannel } from "@capstan/remote";
import { deserializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";

/** Messages as lines of bounded length. A line that is no message is answered with the protocol's own error, and the connection lives on. */
export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: NonNullable<Transport["onclose"]>;
  onerror?: NonNullable<Transport["onerror"]>;
  readonly #channel: LineChannel;
  readonly #done: Promise<void>;
  #resolveDone: () => void = () => undefined;
  #isOver = false;

  constructor(channel: LineChannel) {
    this.#channel = channel;
    this.#done = new Promise((resolve) => {
      this.#resolveDone = resolve;
    });
  }

  /** Resolves when the input has ended. */
  get ended(): Promise<void> {
    return this.#done;
  }

  async start(): Promise<void> {
    void this.#read();
    await Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // Whoever does not read any more misses an answer, and nothing else.
    await this.#channel.send(JSON.stringify(message)).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#end();
    await Promise.resolve();
  }

  async #read(): Promise<void> {
    for await (const received of this.#channel.lines) {
      if (this.#isOver) return;
      if (received.type === "refused") await this.#refuse(-32600, received.reason);
      else await this.#take(received.text);
    }
    this.#end();
  }

  async #take(line: string): Promise<void> {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch (error) {
      if (error instanceof SyntaxError) return await this.#refuse(-32700, "the line is no JSON");
      return await this.#refuse(-32600, "the line is no JSON-RPC 2.0 message");
    }
    this.onmessage?.(message);
  }

  async #refuse(code: number, message: string): Promise<void> {
    await this.#channel
      .send(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }))
      .catch(() => undefined);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onclose?.();
    this.#resolveDone();
  }
}
