import { inertLine } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { maxForeignLines, maxLastWords, maxUnaskedMessages } from "../limits.ts";
import { MessageLines } from "./message-lines.ts";
import type { RunningProgram } from "./start-program.ts";

/** What the protocol's own code makes of a line. */
export type ReadMessage = (line: string) => JSONRPCMessage;

/** Messages as lines over the standard streams of a program, which is ended when it does not keep to that. */
export class ProgramTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #program: RunningProgram;
  readonly #read: ReadMessage;
  readonly #lines = new MessageLines();
  #foreign = 0;
  #unasked = 0;
  #lastWords = "";
  #problem: string | undefined;
  #isOver = false;

  constructor(program: RunningProgram, read: ReadMessage) {
    this.#program = program;
    this.#read = read;
  }

  async start(): Promise<void> {
    const { child } = this.#program;
    child.stdout?.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString("utf8")).slice(-maxLastWords);
    });
    child.once("close", () => this.#finish());
    if (child.exitCode !== null || child.signalCode !== null) this.#finish();
    await Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#program.child;
    if (this.#isOver || stdin === null || !stdin.writable) throw new Error(this.lastWords());
    this.#unasked = 0;
    stdin.write(`${JSON.stringify(message)}\n`);
    await Promise.resolve();
  }

  async close(): Promise<void> {
    this.#program.child.stdin?.end();
    await this.#program.end();
    this.#finish();
  }

  /** Why it ended, as far as that is known: for people. */
  lastWords(): string {
    const { child } = this.#program;
    const how = child.exitCode === null ? (child.signalCode ?? "its output ended") : `exit code ${child.exitCode}`;
    const said = inertLine(this.#lastWords.trim(), maxLastWords);
    return this.#problem ?? `the server ended (${how})${said === "" ? "" : `; it said: ${said}`}`;
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      for (const line of this.#lines.take(chunk)) this.#takeLine(line);
    } catch (error) {
      this.#problem = messageOf(error);
      this.#program.child.stdout?.destroy();
      void this.close();
    }
  }

  #takeLine(line: string): void {
    if (line.trim() === "") return;
    const message = this.#parse(line);
    if (message === undefined) return;
    if ("method" in message && ++this.#unasked > maxUnaskedMessages)
      throw new Error(`it sent more than ${maxUnaskedMessages} messages that nobody asked for`);
    this.onmessage?.(message);
  }

  #parse(line: string): JSONRPCMessage | undefined {
    try {
      return this.#read(line);
    } catch {
      if (++this.#foreign > maxForeignLines)
        throw new Error(`it wrote more than ${maxForeignLines} lines to standard output that are no messages`);
      return undefined;
    }
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onclose?.();
  }
}
