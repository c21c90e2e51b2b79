import { EventEmitter, once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { startProgram } from "@capstan/mcp";
import { inertLine } from "@capstan/patterns";
import type { Sandbox } from "@capstan/ports";
import { isJsonObject, type JsonObject, type JsonValue, type Workspace } from "@capstan/protocol";
import {
  createMessageConnection,
  type MessageConnection,
  NullLogger,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { maxMessageCharacters, maxSaidBytes } from "../limits.ts";
import { BoundedOutput } from "./bounded-output.ts";
import type { NamedServer } from "./named-server.ts";

/** Where servers run. */
export interface ProgramPlace {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** Folders outside of the workspace in which programs are looked up. */
  readonly searchPath: string;
}

type Program = Awaited<ReturnType<typeof startProgram>>;

const msPerSecond = 1000;

/** A server's process in the sandbox, and the messages between it and Capstan; it is stopped for whatever it does wrong. */
export class ServerConnection {
  readonly #program: Program;
  readonly #messages: MessageConnection;
  readonly #output = new BoundedOutput();
  readonly #stopped = new EventEmitter();
  /** The end of its standard error. */
  #said = Buffer.alloc(0);
  #failure: string | null = null;

  private constructor(program: Program) {
    this.#program = program;
    const { stdin, stdout, stderr } = program.child;
    if (stdin === null || stdout === null) throw new Error("it was started without its streams");
    stderr?.on("data", (chunk: Buffer) => (this.#said = Buffer.concat([this.#said, chunk]).subarray(-maxSaidBytes)));
    stdout.pipe(this.#output);
    this.#output.on("error", () => this.stop("it floods"));
    program.child.once("close", (code, signal) =>
      this.stop(`it ended with ${signal ?? `code ${code}`}${this.#lastWords()}`),
    );
    this.#messages = createMessageConnection(
      new StreamMessageReader(this.#output),
      new StreamMessageWriter(stdin),
      NullLogger,
    );
    this.#messages.onError(() => this.stop("it does not keep to its protocol"));
    this.#answerRequests();
    this.#messages.listen();
  }

  /** @throws Error in words for people; then nothing of it runs */
  static async start({ command, args, env }: NamedServer, around: ProgramPlace): Promise<ServerConnection> {
    const place = { type: "program", command, args, env, cwd: null, hosts: [], writes: false } as const;
    return new ServerConnection(await startProgram(place, around));
  }

  /** Why it was stopped; `null`: it runs. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Is called when it is stopped, whyever. */
  onStop(listener: () => void): void {
    this.#stopped.once("stopped", listener);
  }

  onNotification(method: string, listener: (params: JsonValue) => void): void {
    this.#messages.onNotification(method, listener);
  }

  notify(method: string, params: JsonObject): void {
    if (this.#failure !== null) return;
    this.#output.asked();
    this.#messages.sendNotification(method, params).catch(() => this.stop("it cannot be written to"));
  }

  /** @throws Error in words for people: it refuses, was stopped, or took too long */
  async ask(method: string, params: JsonObject, withinMs: number): Promise<JsonValue> {
    this.#output.asked();
    const over = new AbortController();
    const answer = this.#messages.sendRequest<JsonValue>(method, params);
    const stopped = once(this.#stopped, "stopped", { signal: over.signal }).then(() => {
      throw new Error(this.#failure ?? "it was ended");
    });
    const timeUp = setTimeout(withinMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`it did not answer within ${withinMs / msPerSecond} seconds`);
    });
    try {
      return await Promise.race([answer, stopped, timeUp]);
    } finally {
      over.abort();
      answer.catch(() => undefined);
      await Promise.allSettled([stopped, timeUp]);
    }
  }

  stop(reason: string): void {
    if (this.#failure !== null) return;
    this.#failure = reason;
    this.#stopped.emit("stopped");
    this.#program.end().catch(() => undefined);
  }

  /** Resolves when nothing of it runs. */
  async end(): Promise<void> {
    this.#failure ??= "it was ended";
    this.#messages.dispose();
    await this.#program.end();
  }

  /** What servers ask their editors. Nothing of it changes a file. */
  #answerRequests(): void {
    for (const method of unanswered) this.#messages.onRequest(method, () => null);
    this.#messages.onRequest("workspace/applyEdit", () => ({ applied: false }));
    this.#messages.onRequest("workspace/configuration", (params: JsonValue) =>
      isJsonObject(params) && Array.isArray(params["items"]) ? params["items"].map(() => null) : [],
    );
  }

  #lastWords(): string {
    const lines = this.#said.toString("utf8").trim().split("\n");
    const line = lines.find((each) => /error/i.test(each)) ?? lines.at(-1) ?? "";
    return line === "" ? "" : `: ${inertLine(line, maxMessageCharacters)}`;
  }
}

const unanswered = [
  "client/registerCapability",
  "client/unregisterCapability",
  "window/workDoneProgress/create",
  "window/showMessageRequest",
];
