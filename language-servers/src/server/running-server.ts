import { EventEmitter, once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startProgram } from "@capstan/mcp";
import { inertLine } from "@capstan/patterns";
import type { Sandbox } from "@capstan/ports";
import { isJsonObject, type JsonObject, type JsonValue, messageOf, type Workspace } from "@capstan/protocol";
import {
  createMessageConnection,
  type MessageConnection,
  NullLogger,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { answerMs, maxMessageCharacters, maxSaidBytes } from "../limits.ts";
import { type Problem, problemsOf } from "../problems/problem.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { languageId } from "./language-id.ts";
import type { NamedServer } from "./named-server.ts";
import { clientCapabilities } from "./client-capabilities.ts";

export interface ServerSurroundings {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** Folders outside of the workspace in which programs are looked up. */
  readonly searchPath: string;
  readonly waits: Waits;
}

/** How long is waited for what a server says, in ms. */
export interface Waits {
  /** A change waits so long; what comes later is told before the model's next step. */
  readonly settleMs: number;
  /** A server that says things of its own accord has said all when it has been quiet for so long. */
  readonly quietMs: number;
}

/** What the server was told of a file, and what it said since. */
interface ToldFile {
  readonly version: number;
  readonly text: string;
  /** When it spoke of it last, in ms of the process; `null`: not since it was told. */
  readonly heardAtMs: number | null;
  readonly problems: readonly Problem[];
}

type Program = Awaited<ReturnType<typeof startProgram>>;

/** A language server that runs in the sandbox: it is told of files, and says what is wrong with them. */
export class RunningServer {
  readonly #server: NamedServer;
  readonly #program: Program;
  readonly #quietMs: number;
  readonly #connection: MessageConnection;
  readonly #output = new BoundedOutput();
  readonly #heard = new EventEmitter();
  readonly #files = new Map<string, ToldFile>();
  /** The end of its standard error. */
  #said = Buffer.alloc(0);
  #failure: string | null = null;
  #pulls = false;

  private constructor(server: NamedServer, program: Program, quietMs: number) {
    this.#server = server;
    this.#quietMs = quietMs;
    this.#program = program;
    const { stdin, stdout, stderr } = program.child;
    if (stdin === null || stdout === null) throw new Error("it was started without its streams");
    stderr?.on("data", (chunk: Buffer) => (this.#said = Buffer.concat([this.#said, chunk]).subarray(-maxSaidBytes)));
    const fail = (reason: string) => (): void => this.#stop(reason);
    stdout.pipe(this.#output);
    this.#output.on("error", fail("it floods"));
    program.child.once("close", (code, signal) =>
      this.#stop(`it ended with ${signal ?? `code ${code}`}${this.#lastWords()}`),
    );
    this.#connection = createMessageConnection(
      new StreamMessageReader(this.#output),
      new StreamMessageWriter(stdin),
      NullLogger,
    );
    this.#connection.onError(fail("it does not keep to its protocol"));
    this.#connection.onNotification("textDocument/publishDiagnostics", (params: JsonValue) => this.#published(params));
    this.#answerRequests();
    this.#connection.listen();
  }

  /** @throws Error in words for people; then nothing of it runs */
  static async start(
    server: NamedServer,
    { sandbox, workspace, searchPath, waits }: ServerSurroundings,
  ): Promise<RunningServer> {
    const { command, args, env } = server;
    const place = { type: "program", command, args, env, cwd: null, hosts: [], writes: false } as const;
    const program = await startProgram(place, { sandbox, workspace, searchPath });
    try {
      const running = new RunningServer(server, program, waits.quietMs);
      await running.#initialize(workspace);
      return running;
    } catch (error) {
      await program.end();
      throw error;
    }
  }

  /** Why it was stopped; `null`: it runs. */
  get failure(): string | null {
    return this.#failure;
  }

  /** The text of a file as it is now. */
  tell(path: string, text: string): void {
    const known = this.#files.get(path);
    if (known?.text === text) return;
    const version = (known?.version ?? 0) + 1;
    this.#files.set(path, { version, text, heardAtMs: null, problems: known?.problems ?? [] });
    const uri = pathToFileURL(path).href;
    if (known === undefined) {
      const language = this.#server.language ?? languageId(path);
      this.#notify("textDocument/didOpen", { textDocument: { uri, languageId: language, version, text } });
    } else {
      this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
      this.#notify("textDocument/didSave", { textDocument: { uri } });
    }
    if (this.#pulls) void this.#pull(path, uri, version);
  }

  /** The file is gone, or not looked at any more. */
  forget(path: string): void {
    if (this.#files.delete(path))
      this.#notify("textDocument/didClose", { textDocument: { uri: pathToFileURL(path).href } });
  }

  /** What it said last of a file; `undefined`: nothing since it was told of it. */
  problems(path: string): readonly Problem[] | undefined {
    const file = this.#files.get(path);
    return file === undefined || file.heardAtMs === null ? undefined : file.problems;
  }

  /** Resolves when it has said what is wrong with all that it was told, was stopped, or `signal` says so. */
  async settled(signal: AbortSignal): Promise<void> {
    for (
      let waitMs = this.#msLeft();
      waitMs > 0 && !signal.aborted && this.#failure === null;
      waitMs = this.#msLeft()
    ) {
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      const next = once(this.#heard, "heard", { signal: either });
      const quiet = waitMs === Number.POSITIVE_INFINITY ? next : setTimeout(waitMs, undefined, { signal: either });
      await Promise.race([next, quiet]).catch(() => undefined);
      over.abort();
      await Promise.allSettled([next, quiet]);
    }
  }

  async end(): Promise<void> {
    this.#failure ??= "it was ended";
    this.#connection.dispose();
    await this.#program.end();
  }

  /** Until it has been quiet for long enough about every file; infinite: it has said nothing of one. */
  #msLeft(): number {
    const now = performance.now();
    const quiet = this.#pulls ? 0 : this.#quietMs;
    return Math.max(
      0,
      ...[...this.#files.values()].map(({ heardAtMs }) =>
        heardAtMs === null ? Number.POSITIVE_INFINITY : heardAtMs + quiet - now,
      ),
    );
  }

  async #initialize({ cwd, roots }: Workspace): Promise<void> {
    const folders = roots.map((root) => ({ uri: pathToFileURL(root).href, name: root }));
    const answer = await this.#ask(
      "initialize",
      {
        // The number of a process outside of its sandbox says nothing to it.
        processId: null,
        clientInfo: { name: "capstan" },
        rootUri: pathToFileURL(roots[0] ?? cwd).href,
        workspaceFolders: folders,
        capabilities: clientCapabilities,
      },
      this.#server.startupTimeoutMs,
    );
    const capabilities = isJsonObject(answer) && isJsonObject(answer["capabilities"]) ? answer["capabilities"] : {};
    this.#pulls = isJsonObject(capabilities["diagnosticProvider"]);
    this.#notify("initialized", {});
  }

  /** What servers ask their editors. Nothing of it changes a file. */
  #answerRequests(): void {
    const empty = [
      "client/registerCapability",
      "client/unregisterCapability",
      "window/workDoneProgress/create",
      "window/showMessageRequest",
    ];
    for (const method of empty) this.#connection.onRequest(method, () => null);
    this.#connection.onRequest("workspace/applyEdit", () => ({ applied: false }));
    this.#connection.onRequest("workspace/configuration", (params: JsonValue) =>
      isJsonObject(params) && Array.isArray(params["items"]) ? params["items"].map(() => null) : [],
    );
  }

  #published(params: JsonValue): void {
    if (!isJsonObject(params) || typeof params["uri"] !== "string") return;
    const { uri, version, diagnostics } = params;
    const path = pathOf(uri);
    const file = path === undefined ? undefined : this.#files.get(path);
    // What it says of an older text is no word on this one.
    if (path === undefined || file === undefined || (typeof version === "number" && version < file.version)) return;
    this.#hear(path, problemsOf(diagnostics));
  }

  async #pull(path: string, uri: string, version: number): Promise<void> {
    try {
      const report = await this.#ask("textDocument/diagnostic", { textDocument: { uri } }, answerMs);
      if (this.#files.get(path)?.version === version && isJsonObject(report))
        this.#hear(path, problemsOf(report["items"]));
    } catch (error) {
      this.#stop(messageOf(error));
    }
  }

  #hear(path: string, problems: readonly Problem[]): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#files.set(path, { ...file, problems, heardAtMs: performance.now() });
    this.#heard.emit("heard");
  }

  async #ask(method: string, params: JsonObject, withinMs: number): Promise<JsonValue> {
    this.#output.asked();
    const late = new AbortController();
    const answer = this.#connection.sendRequest<JsonValue>(method, params);
    const stopped = once(this.#heard, "stopped", { signal: late.signal }).then(() => {
      throw new Error(this.#failure ?? "it was ended");
    });
    const timeUp = setTimeout(withinMs, undefined, { signal: late.signal }).then(() => {
      throw new Error(`it did not answer within ${withinMs / msPerSecond} seconds`);
    });
    try {
      return await Promise.race([answer, stopped, timeUp]);
    } finally {
      late.abort();
      await Promise.allSettled([stopped, timeUp]);
      answer.catch(() => undefined);
    }
  }

  #notify(method: string, params: JsonObject): void {
    if (this.#failure !== null) return;
    this.#output.asked();
    this.#connection.sendNotification(method, params).catch(() => this.#stop("it cannot be written to"));
  }

  #lastWords(): string {
    const lines = this.#said.toString("utf8").trim().split("\n");
    const line = lines.find((each) => /error/i.test(each)) ?? lines.at(-1) ?? "";
    return line === "" ? "" : `: ${inertLine(line, maxMessageCharacters)}`;
  }

  #stop(reason: string): void {
    if (this.#failure !== null) return;
    this.#failure = reason;
    this.#heard.emit("stopped");
    this.#heard.emit("heard");
    this.#program.end().catch(() => undefined);
  }
}

const msPerSecond = 1000;

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
