import type { Readable, Writable } from "node:stream";
import type { ClientIdentity, EngineClient } from "@capstan/protocol";
import { maxRequestLineBytes, serveEngine, StreamChannel } from "@capstan/remote";

export interface LinesOptions {
  readonly input: Readable;
  /** Carries nothing but lines of the protocol. */
  readonly output: Writable;
  /** What the program may do; it may name its frontend and user, and lower its role. */
  readonly identity: ClientIdentity;
  readonly version: string;
  /** At the end of the input: the turns that run end first, or the sessions are left as they are at once. */
  readonly atEnd: "finish-turns" | "detach";
  /** Ends it at once: the sessions are left as they are. */
  readonly signal?: AbortSignal;
}

/**
 * Serves an engine to the program at the other end of a pair of streams.
 * @returns when the input has ended and what it held is given back; never throws
 */
export async function serveLines(engine: EngineClient, options: LinesOptions): Promise<void> {
  const { input, output, identity, version, atEnd, signal } = options;
  let hasReader = true;
  // Where nobody reads any more, nobody asks for more either.
  const stop = (): void => {
    hasReader = false;
    input.destroy();
  };
  output.on("error", stop);
  output.on("close", stop);
  signal?.addEventListener("abort", stop);
  input.on("error", () => undefined);
  const channel = new StreamChannel({ input, output, maxLineBytes: maxRequestLineBytes, end: () => undefined });
  await serveEngine(engine, channel, {
    identity,
    version,
    mayName: true,
    processId: process.pid,
    atEnd: () => (hasReader ? atEnd : "detach"),
  });
  signal?.removeEventListener("abort", stop);
  output.off("close", stop);
}
