import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { serverNewsTimeoutMs } from "./limits.ts";
import type { ScenarioName } from "./scenarios.ts";

export interface ServedRequest {
  readonly type: "request";
  /** Counts from 1 over the server's life. */
  readonly order: number;
  /** On the machine's monotonic clock. */
  readonly atMs: number;
  /** Of the body. */
  readonly bytes: number;
}

/** What the server's process reports. */
export type ServerMessage = ServedRequest | { readonly type: "listening"; readonly url: string };

/** A rehearsal server in a process of its own, which plays its scenario again and again. */
export class ModelServer {
  readonly url: string;
  readonly #child: ChildProcess;
  #requests: ServedRequest[] = [];

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
    child.on("message", (message: ServerMessage) => {
      if (message.type === "request") this.#requests.push(message);
    });
  }

  static async start(scenario: ScenarioName): Promise<ModelServer> {
    const child = fork(join(import.meta.dirname, "serve-model.ts"), [scenario]);
    const [message]: readonly ServerMessage[] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(() => []),
    ]);
    if (message?.type !== "listening") throw new Error(`the model server for ${scenario} did not start`);
    return new ModelServer(message.url, child);
  }

  /**
   * The requests since the last call.
   * @throws when fewer than `count` have come by now
   */
  async takeRequests(count: number): Promise<readonly ServedRequest[]> {
    const signal = AbortSignal.timeout(serverNewsTimeoutMs);
    while (this.#requests.length < count) await once(this.#child, "message", { signal });
    const taken = this.#requests;
    this.#requests = [];
    return taken;
  }

  stop(): void {
    this.#child.kill();
  }
}
