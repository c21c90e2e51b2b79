import type { Worker } from "node:worker_threads";
import { extractionTimeoutMs, extractorIdleMs } from "../limits.ts";
import { WebError } from "../web-error.ts";
import { startWorker } from "./start-worker.ts";
import type { PageSource, PageText } from "./page-text.ts";

/** Makes text of pages, one at a time, in a thread that is ended when a page is too much for it. */
export class Extractor {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws WebError `extraction_failed`; the signal's reason */
  async extract(source: PageSource, signal: AbortSignal): Promise<PageText> {
    const mine = this.#last.then(async () => await this.#run(source, signal));
    this.#last = mine.catch(() => undefined);
    return await mine;
  }

  #end(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #run(source: PageSource, signal: AbortSignal): Promise<PageText> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= await begun(() => (this.#worker = undefined)));
    worker.ref();
    try {
      return await answerOf(worker, source, signal);
    } catch (error) {
      // Whatever it was at, nobody waits for that.
      this.#end();
      throw error;
    } finally {
      worker.unref();
      this.#idle = setTimeout(() => this.#end(), extractorIdleMs).unref();
    }
  }
}

async function begun(onExit: () => void): Promise<Worker> {
  try {
    return (await startWorker()).once("exit", onExit);
  } catch (error) {
    throw new WebError("extraction_failed", "what reads pages does not start", { cause: error, retryable: true });
  }
}

function answerOf(worker: Worker, source: PageSource, signal: AbortSignal): Promise<PageText> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onError);
      act();
    };
    const fail = (message: string, cause?: unknown): void =>
      end(() => reject(new WebError("extraction_failed", message, { cause })));
    const onAbort = (): void => end(() => reject(signal.reason));
    const onMessage = (text: PageText): void => end(() => resolve(text));
    const onError = (cause: unknown): void => fail("the page cannot be read", cause);
    const timer = setTimeout(
      () => fail(`the page takes longer than ${extractionTimeoutMs} ms to read`),
      extractionTimeoutMs,
    );
    signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("error", onError).on("exit", onError);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
    worker.postMessage(source);
  });
}
