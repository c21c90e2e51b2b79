import { inertLine } from "@capstan/patterns";
import type { JsonValue } from "@capstan/protocol";
import { farewellMs, maxLastWords, maxMessageBytes, maxProblemCharacters, maxReportsOfCall } from "../limits.ts";
import { type PluginAnswer, type PluginRequest, readAnswer } from "./plugin-messages.ts";
import { type PluginSurroundings, type StartedPlugin, startPlugin } from "./start-plugin.ts";

interface Asked {
  readonly resolve: (value: JsonValue) => void;
  readonly reject: (error: Error) => void;
  readonly onReport: (text: string) => void;
  reports: number;
}

export interface RequestOptions {
  /** Without an answer by then its process is ended. */
  readonly limitMs: number;
  /** Asks it to stop; the answer is waited for no longer. */
  readonly signal?: AbortSignal;
  readonly onReport?: (text: string) => void;
}

/** A plugin's code in a process of its own: requests and answers as lines. Whatever does not keep to that is ended. */
export class PluginProcess {
  /** Why it ended, for people; resolves once. */
  readonly over: Promise<string>;
  readonly #started: StartedPlugin;
  readonly #asked = new Map<number, Asked>();
  #lastId = 0;
  #rest = "";
  #lastWords = "";
  #end: ((why: string) => void) | undefined;

  private constructor(started: StartedPlugin) {
    this.#started = started;
    this.over = new Promise((resolve) => (this.#end = resolve));
    const { child } = started;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-maxLastWords);
    });
    child.once("error", (error) => this.#finish(error.message));
    child.once("close", (exitCode, signal) => this.#finish(`its process ended (${signal ?? `exit code ${exitCode}`})`));
  }

  /** @throws Error in words for people; then nothing of it runs */
  static async start(isTrusted: boolean, surroundings: PluginSurroundings): Promise<PluginProcess> {
    return new PluginProcess(await startPlugin(isTrusted, surroundings));
  }

  /** @throws Error in words for people: what the plugin threw, why it ended, or that it took too long */
  async request(request: PluginRequest, { limitMs, signal, onReport }: RequestOptions): Promise<JsonValue> {
    if (this.#end === undefined) throw new Error(await this.over);
    const id = ++this.#lastId;
    const answer = new Promise<JsonValue>((resolve, reject) => {
      this.#asked.set(id, { resolve, reject, onReport: onReport ?? ignore, reports: 0 });
    });
    const abort = (): void => {
      this.#write({ id, abort: true });
      this.#asked.get(id)?.reject(new Error("it was cancelled"));
    };
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => this.#stop(`it did not answer within ${limitMs / 1000} s`), limitMs);
    try {
      this.#write({ id, request });
      return await answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      this.#asked.delete(id);
    }
  }

  /** Lets it take its leave, and ends it. */
  async close(): Promise<void> {
    if (this.#end !== undefined) await this.request({ type: "close" }, { limitMs: farewellMs }).catch(ignore);
    this.#stop("the session is over");
    await this.#started.end();
  }

  #write(message: object): void {
    this.#started.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#receive(readAnswer(line));
    if (this.#rest.length > maxMessageBytes) this.#stop(`it sent a message of more than ${maxMessageBytes} bytes`);
  }

  #receive(answer: PluginAnswer | undefined): void {
    if (answer === undefined) return this.#stop("it wrote to its channel what is no message");
    if (answer.type === "over") return this.#stop(answer.message);
    const asked = this.#asked.get(answer.id);
    // What it was cancelled for may still come.
    if (asked === undefined) return;
    if (answer.type === "answer") asked.resolve(answer.value);
    else if (answer.type === "failure") asked.reject(new Error(inertLine(answer.message, maxProblemCharacters)));
    else if (++asked.reports <= maxReportsOfCall) asked.onReport(answer.text);
    else this.#stop(`it reported its progress more than ${maxReportsOfCall} times in one call`);
  }

  #stop(why: string): void {
    this.#finish(why);
    this.#started.end().catch(ignore);
  }

  #finish(why: string): void {
    if (this.#end === undefined) return;
    const said = inertLine(this.#lastWords.trim(), maxProblemCharacters);
    const problem = inertLine(why, maxProblemCharacters) + (said === "" ? "" : `; it said: ${said}`);
    this.#end(problem);
    this.#end = undefined;
    for (const { reject } of this.#asked.values()) reject(new Error(problem));
  }
}

function ignore(): void {
  // Nobody waits for it any more.
}
