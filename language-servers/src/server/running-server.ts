import { EventEmitter, once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isJsonObject, type JsonValue, messageOf, type Workspace } from "@capstan/protocol";
import type { WorkspaceReader } from "@capstan/tools";
import { answerMs } from "../limits.ts";
import { type Problem, problemsOf } from "../problems/problem.ts";
import { clientCapabilities } from "./client-capabilities.ts";
import { languageId } from "./language-id.ts";
import type { NamedServer } from "./named-server.ts";
import { type ProgramPlace, ServerConnection } from "./server-connection.ts";

export interface ServerSurroundings extends ProgramPlace {
  readonly waits: Waits;
  /** Commands may have put a link in a file's place: it is read as file tools read. */
  readonly read: WorkspaceReader;
}

/** How long is waited for what a server says, in ms. */
export interface Waits {
  /** A change waits so long; what comes later is reported before the model's next step. */
  readonly settleMs: number;
  /** A server that says things of its own accord has said all when it has been quiet for so long. */
  readonly quietMs: number;
}

/** A file as the server knows it, and what it said since. */
interface KnownFile {
  readonly version: number;
  readonly text: string;
  /** When it spoke of it last, in ms of the process; `null`: not since it was informed of this text. */
  readonly reportedAtMs: number | null;
  readonly problems: readonly Problem[];
}

/** A language server that runs: it is informed of files, and says what is wrong with them. */
export class RunningServer {
  readonly #server: NamedServer;
  readonly #connection: ServerConnection;
  readonly #quietMs: number;
  readonly #reports = new EventEmitter();
  readonly #files = new Map<string, KnownFile>();
  /** It says what is wrong when it is asked; otherwise of its own accord. */
  #pulls = false;

  private constructor(server: NamedServer, connection: ServerConnection, quietMs: number) {
    this.#server = server;
    this.#connection = connection;
    this.#quietMs = quietMs;
    connection.onNotification("textDocument/publishDiagnostics", (params) => this.#published(params));
    connection.onStop(() => this.#reports.emit("report"));
  }

  /** @throws Error in words for people; then nothing of it runs */
  static async start(server: NamedServer, around: ServerSurroundings): Promise<RunningServer> {
    const connection = await ServerConnection.start(server, around);
    try {
      const running = new RunningServer(server, connection, around.waits.quietMs);
      await running.#initialize(around.workspace);
      return running;
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  /** Why it was stopped; `null`: it runs. */
  get failure(): string | null {
    return this.#connection.failure;
  }

  /** The text of a file as it is now. */
  tell(path: string, text: string): void {
    const known = this.#files.get(path);
    if (known?.text === text) return;
    const version = (known?.version ?? 0) + 1;
    this.#files.set(path, { version, text, reportedAtMs: null, problems: known?.problems ?? [] });
    const uri = pathToFileURL(path).href;
    if (known === undefined) {
      const language = this.#server.language ?? languageId(path);
      this.#connection.notify("textDocument/didOpen", { textDocument: { uri, languageId: language, version, text } });
    } else {
      this.#connection.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
      this.#connection.notify("textDocument/didSave", { textDocument: { uri } });
    }
    if (this.#pulls) void this.#pull(path, uri, version);
  }

  /** The file is gone, or not looked at any more. */
  forget(path: string): void {
    if (!this.#files.delete(path)) return;
    this.#connection.notify("textDocument/didClose", { textDocument: { uri: pathToFileURL(path).href } });
  }

  /** What it said last of a file; `undefined`: nothing since it was informed of it. */
  problems(path: string): readonly Problem[] | undefined {
    const file = this.#files.get(path);
    return file === undefined || file.reportedAtMs === null ? undefined : file.problems;
  }

  /** Resolves when it has said what is wrong with all that it knows, was stopped, or `signal` says so. */
  async settled(signal: AbortSignal): Promise<void> {
    for (let leftMs = this.#msLeft(); leftMs > 0; leftMs = this.#msLeft()) {
      if (signal.aborted || this.failure !== null) return;
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      const next = once(this.#reports, "report", { signal: either });
      const quiet = leftMs === Number.POSITIVE_INFINITY ? next : setTimeout(leftMs, undefined, { signal: either });
      await Promise.race([next, quiet]).catch(() => undefined);
      over.abort();
      await Promise.allSettled([next, quiet]);
    }
  }

  async end(): Promise<void> {
    await this.#connection.end();
  }

  /** Until it has been quiet for long enough about every file; infinite: it has said nothing of one. */
  #msLeft(): number {
    const now = performance.now();
    const quietMs = this.#pulls ? 0 : this.#quietMs;
    return Math.max(
      0,
      ...[...this.#files.values()].map(({ reportedAtMs }) =>
        reportedAtMs === null ? Number.POSITIVE_INFINITY : reportedAtMs + quietMs - now,
      ),
    );
  }

  async #initialize({ cwd, roots }: Workspace): Promise<void> {
    const answer = await this.#connection.ask(
      "initialize",
      {
        // The number of a process outside of its sandbox says nothing to it.
        processId: null,
        clientInfo: { name: "capstan" },
        rootUri: pathToFileURL(roots[0] ?? cwd).href,
        workspaceFolders: roots.map((root) => ({ uri: pathToFileURL(root).href, name: root })),
        capabilities: clientCapabilities,
      },
      this.#server.startupTimeoutMs,
    );
    const capabilities = isJsonObject(answer) && isJsonObject(answer["capabilities"]) ? answer["capabilities"] : {};
    this.#pulls = isJsonObject(capabilities["diagnosticProvider"]);
    this.#connection.notify("initialized", {});
  }

  #published(params: JsonValue): void {
    if (!isJsonObject(params) || typeof params["uri"] !== "string") return;
    const { uri, version, diagnostics } = params;
    const path = pathOf(uri);
    // What it says of an older text is no word on this one.
    const isOld = typeof version === "number" && path !== undefined && version < (this.#files.get(path)?.version ?? 0);
    if (path !== undefined && !isOld) this.#report(path, problemsOf(diagnostics));
  }

  async #pull(path: string, uri: string, version: number): Promise<void> {
    try {
      const report = await this.#connection.ask("textDocument/diagnostic", { textDocument: { uri } }, answerMs);
      if (this.#files.get(path)?.version === version && isJsonObject(report))
        this.#report(path, problemsOf(report["items"]));
    } catch (error) {
      this.#connection.stop(messageOf(error));
    }
  }

  #report(path: string, problems: readonly Problem[]): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#files.set(path, { ...file, problems, reportedAtMs: performance.now() });
    this.#reports.emit("report");
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
