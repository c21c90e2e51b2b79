import { PassThrough } from "node:stream";
import { type EngineClient, isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { memoryEngine } from "@capstan/testkit";
import { DialectLines } from "../src/lines/dialect-lines.ts";
import type { ClaudeOptions, PreparedClaude } from "../src/claude/claude-engine.ts";
import { serveClaude } from "../src/claude/serve-claude.ts";

/** A program that speaks Claude's lines with an engine in memory, in this process. */
export class ClaudeProgram {
  readonly engine: EngineClient;
  readonly warnings: string[] = [];
  readonly served: ReturnType<typeof serveClaude>;
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  readonly #lines: JsonObject[] = [];
  readonly #looking = new Set<() => void>();
  #text = "";

  constructor(given: Partial<ClaudeOptions & PreparedClaude> = {}, engine: EngineClient = memoryEngine()) {
    this.engine = engine;
    this.#output.on("data", (piece: Buffer) => this.#read(piece.toString("utf8")));
    const prepared: PreparedClaude = {
      model: "test/model-1",
      bypasses: false,
      commands: [],
      servers: [],
      expand: (text) => text,
      open: async () =>
        await Promise.resolve({ client: engine, target: { type: "new" }, close: () => Promise.resolve() }),
      ...given,
    };
    const options: ClaudeOptions = {
      identity: { frontend: "claude", user: "ada", role: "operate" },
      version: "1",
      partial: true,
      asks: true,
      prepare: async () => await Promise.resolve(prepared),
      warn: (text) => this.warnings.push(text),
      onStop: () => () => undefined,
      ...given,
    };
    this.served = serveClaude(options, new DialectLines({ input: this.#input, output: this.#output }));
  }

  get lines(): readonly JsonObject[] {
    return this.#lines;
  }

  write(text: string): void {
    this.#input.write(text);
  }

  send(line: object): void {
    this.write(`${JSON.stringify(line)}\n`);
  }

  say(content: JsonValue, more: object = {}): void {
    this.send({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, ...more });
  }

  /** @returns what it is answered */
  async request(request: object): Promise<JsonObject> {
    const id = `r${Math.random()}`;
    this.send({ type: "control_request", request_id: id, request });
    const { response } = await this.line((line) => part(line["response"])["request_id"] === id);
    return part(response);
  }

  answer({ request_id: id = null }: JsonObject, response: object): void {
    this.send({ type: "control_response", response: { subtype: "success", request_id: id, response } });
  }

  /** The n-th of the lines that fit. */
  async line(fits: (line: JsonObject) => boolean, n = 1): Promise<JsonObject> {
    for (;;) {
      const found = this.#lines.filter(fits)[n - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#looking.add(resolve);
      });
    }
  }

  async result(n = 1): Promise<JsonObject> {
    return await this.line(({ type }) => type === "result", n);
  }

  async asked(n = 1): Promise<JsonObject> {
    return await this.line(({ request }) => part(request)["subtype"] === "can_use_tool", n);
  }

  async end(): Promise<readonly JsonObject[]> {
    this.#input.end();
    await this.served;
    return this.#lines;
  }

  stopReading(): void {
    this.#output.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    const lines = this.#text.split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) this.#lines.push(part(JSON.parse(line)));
    for (const look of this.#looking) look();
    this.#looking.clear();
  }
}

export function part(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
