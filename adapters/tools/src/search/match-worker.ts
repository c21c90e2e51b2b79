import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { maxKeptLineLength } from "./limits.ts";
import type { LineMatch } from "./search-engine.ts";

/**
 * Runs a regular expression over texts in a thread of its own. A pattern may take exponential time, and a thread can be
 * ended where a function cannot.
 */
export class MatchWorker {
  readonly #worker: Worker;

  /** @param stripsReturn  whether a CR at the end of a line is part of its end */
  constructor(source: string, flags: string, stripsReturn: boolean) {
    this.#worker = new Worker(workerProgram, {
      eval: true,
      workerData: { source, flags, stripsReturn, keep: maxKeptLineLength },
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
    });
    // Reported by the promise of the call that waits.
    this.#worker.on("error", () => undefined);
    this.#worker.unref();
  }

  /**
   * The matching lines of a text, at most `limit`.
   * @throws the signal's reason
   */
  async match(text: string, limit: number, signal: AbortSignal): Promise<readonly LineMatch[]> {
    this.#worker.ref();
    const answered = once(this.#worker, "message", { signal });
    this.#worker.postMessage({ text, limit }, []);
    try {
      const [matches]: readonly LineMatch[][] = await answered;
      return matches ?? [];
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Room for the largest text there is, twice. */
const workerHeapMb = 512;

// Text, not a module: it must run from source, from dist and from the bundle alike.
const workerProgram = `
const { parentPort, workerData } = require("node:worker_threads");
const expression = new RegExp(workerData.source, workerData.flags);
parentPort.on("message", ({ text, limit }) => {
  const matches = [];
  let line = 0;
  for (let begin = 0; begin < text.length && matches.length < limit; ) {
    const found = text.indexOf("\\n", begin);
    const end = found === -1 ? text.length : found;
    line += 1;
    const whole = text.slice(begin, end);
    const bare = whole.endsWith("\\r") ? whole.slice(0, -1) : whole;
    const column = (workerData.stripsReturn ? bare : whole).search(expression);
    if (column !== -1) matches.push({ line, column, text: bare.slice(0, workerData.keep) });
    begin = end + 1;
  }
  parentPort.postMessage(matches);
});
`;
