import { once } from "node:events";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { pipeGraceMs, pipePollMs, pipeQuietMs } from "./limits.ts";

/** Takes a piece of output. A promise holds back further reading until it resolves. */
export type OnData = (stream: "stdout" | "stderr", bytes: Buffer) => Promise<void> | undefined;

/** Reads both pipes of a command, in order of arrival, no faster than its output is taken. */
export class PipeReader {
  readonly #streams: readonly Readable[];
  readonly #onData: OnData;
  #holds = 0;
  #lastAt = 0;

  constructor(streams: Readonly<Record<"stdout" | "stderr", Readable | null>>, onData: OnData) {
    this.#onData = onData;
    this.#streams = [streams.stdout, streams.stderr].filter((stream) => stream !== null);
    if (streams.stdout !== null) this.#read("stdout", streams.stdout);
    if (streams.stderr !== null) this.#read("stderr", streams.stderr);
  }

  /**
   * To be called when the program has ended. Resolves when everything it wrote was taken: at the end of both pipes, or, if
   * a background process still holds them, after a silence, at the latest after a named grace.
   */
  async finish(): Promise<void> {
    const closed = Promise.all(this.#streams.map(untilClosed)).then(() => true);
    const endedAt = performance.now();
    this.#lastAt = endedAt;
    while (!(await Promise.race([closed, delay(pipePollMs, false)]))) {
      // Timers come before input in Node's loop: after a blocked loop, what waits in the pipes must be read first.
      await nextTurn();
      const now = performance.now();
      const isOver = now - this.#lastAt >= pipeQuietMs || now - endedAt >= pipeGraceMs;
      if (isOver && this.#holds === 0) return;
    }
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #read(name: "stdout" | "stderr", stream: Readable): void {
    // A pipe that breaks has ended: there is nothing more to read from it, and the exit code says the rest.
    stream.on("error", () => undefined);
    stream.on("data", (bytes: Buffer) => {
      this.#lastAt = performance.now();
      const taken = this.#onData(name, bytes);
      if (taken !== undefined) void this.#hold(taken);
    });
  }

  /** Both pipes wait, so that the order of arrival is kept. */
  async #hold(taken: Promise<void>): Promise<void> {
    this.#holds += 1;
    for (const stream of this.#streams) stream.pause();
    await taken;
    this.#holds -= 1;
    this.#lastAt = performance.now();
    if (this.#holds > 0) return;
    for (const stream of this.#streams) stream.resume();
  }
}

async function untilClosed(stream: Readable): Promise<void> {
  if (!stream.closed) await once(stream, "close").catch(() => undefined);
}
