import { extname } from "node:path";
import { messageOf } from "@capstan/protocol";
import { maxFileBytes, maxFiles } from "../limits.ts";
import type { Problem } from "../problems/problem.ts";
import type { NamedServer } from "./named-server.ts";
import { RunningServer, type ServerSurroundings } from "./running-server.ts";

/** A server of the configuration: started by the first file that it is asked about, and not again once it has failed. */
export class LanguageServer {
  readonly server: NamedServer;
  readonly #around: ServerSurroundings;
  /** In the order in which they changed last. */
  readonly #files = new Set<string>();
  #starting: Promise<void> | undefined;
  #running: RunningServer | null = null;
  #failure: string | null = null;
  /** One look after the other, so that no text overtakes another. */
  #looking: Promise<void> = Promise.resolve();

  constructor(server: NamedServer, around: ServerSurroundings) {
    this.server = server;
    this.#around = around;
  }

  isFor(path: string): boolean {
    return this.server.extensions.includes(extname(path).toLowerCase());
  }

  /** Why it is not asked any more; `null`: it is. */
  get failure(): string | null {
    return this.#failure;
  }

  follow(path: string): void {
    this.#files.delete(path);
    this.#files.add(path);
    this.#starting ??= this.#start();
  }

  /** Tells it of every file that changed, and waits for what it says until `signal` ends the waiting. Never throws. */
  async look(signal: AbortSignal): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookOnce(signal)).catch(() => undefined);
    const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    if (!signal.aborted) await Promise.race([this.#looking, gone]);
  }

  /** What is wrong with a file, as far as it has said; `undefined`: it has not. */
  problems(path: string): readonly Problem[] | undefined {
    return this.#running?.problems(path);
  }

  async end(): Promise<void> {
    await this.#starting;
    await this.#running?.end();
  }

  async #start(): Promise<void> {
    try {
      this.#running = await RunningServer.start(this.server, this.#around);
    } catch (error) {
      this.#failure = messageOf(error);
    }
  }

  async #lookOnce(signal: AbortSignal): Promise<void> {
    await this.#starting;
    const running = this.#running;
    if (running === null) return;
    const followed = [...this.#files];
    for (const path of followed.slice(0, -maxFiles)) this.#drop(path, running);
    for (const path of followed.slice(-maxFiles)) {
      const text = await this.#textOf(path);
      if (text === undefined) this.#drop(path, running);
      else running.tell(path, text);
    }
    await running.settled(signal);
    this.#failure ??= running.failure;
  }

  /** `undefined`: it is gone, or nothing that the server may read. */
  async #textOf(path: string): Promise<string | undefined> {
    return (await this.#around.read(path, maxFileBytes))?.toString("utf8");
  }

  #drop(path: string, running: RunningServer): void {
    this.#files.delete(path);
    running.forget(path);
  }
}
