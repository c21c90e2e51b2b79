import { PassThrough } from "node:stream";
import type { EngineClient } from "@capstan/protocol";
import { memoryEngine } from "@capstan/testkit";
import { serveAcp } from "../src/serve-acp.ts";

export interface Line {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
}

/** The server side over streams in memory, with an engine in memory. */
export class InMemory {
  readonly engine: EngineClient = memoryEngine();
  readonly lines: Line[] = [];
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  readonly #ended: Promise<void>;
  readonly #looks = new Set<() => void>();
  #rest = "";
  #requests = 0;

  constructor() {
    const { engine } = this;
    const place = { engine, notices: [], commands: () => [], models: async () => [], expand: async () => [] };
    this.#output.on("data", (piece: Buffer) => this.#receive(piece.toString("utf8")));
    this.#ended = serveAcp({
      places: { anywhere: async () => engine, at: async () => place },
      identity: { frontend: "acp", user: "ada", role: "operate" },
      version: "1",
      input: this.#input,
      output: this.#output,
    });
  }

  write(text: string | Uint8Array): void {
    this.#input.write(text);
  }

  /** Resolves with the answer. */
  async ask(method: string, params: object): Promise<Line> {
    this.#requests += 1;
    const id = `r${this.#requests}`;
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return await this.line((line) => line.id === id && line.method === undefined);
  }

  /** Resolves with the first line that fits, of those that came or come. */
  line(fits: (line: Line) => boolean): Promise<Line> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.lines.find(fits);
        if (found === undefined) return;
        this.#looks.delete(look);
        resolve(found);
      };
      this.#looks.add(look);
      look();
    });
  }

  async end(): Promise<void> {
    this.#input.end();
    await this.#ended;
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.lines.push(JSON.parse(line));
    for (const look of this.#looks) look();
  }
}

export const hello = { protocolVersion: 1, clientCapabilities: { session: { notices: {} } } };
