import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import type { DialectLines } from "../lines/dialect-lines.ts";

/** Control requests to the program, and its answers. */
export class ControlChannel {
  readonly #lines: DialectLines;
  readonly #waiting = new Map<string, (answer: JsonObject | null) => void>();
  #next = 0;
  #isClosed = false;

  constructor(lines: DialectLines) {
    this.#lines = lines;
  }

  /**
   * Asks the program.
   * @returns `null`: `signal` was aborted, and the program knows; or nobody answers any more
   * @throws {Error} with the program's own words where it could not do it
   */
  async request(request: JsonObject, signal: AbortSignal): Promise<JsonObject | null> {
    if (this.#isClosed || signal.aborted) return null;
    this.#next += 1;
    const id = `capstan_${this.#next}`;
    const answered = new Promise<JsonObject | null>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    const cancel = (): void => {
      if (!this.#settle(id, null)) return;
      void this.#lines.write({ type: "control_cancel_request", request_id: id });
    };
    signal.addEventListener("abort", cancel, { once: true });
    await this.#lines.write({ type: "control_request", request_id: id, request });
    const answer = await answered;
    signal.removeEventListener("abort", cancel);
    if (answer === null) return null;
    if (answer["subtype"] === "error") throw new Error(textOf(answer["error"]));
    return isJsonObject(answer["response"]) ? answer["response"] : {};
  }

  /** @returns false for an answer that nobody waits for */
  take(response: JsonObject): boolean {
    const id = response["request_id"];
    return typeof id === "string" && this.#settle(id, response);
  }

  async succeed(requestId: string, response: JsonObject = {}): Promise<void> {
    const answer = { subtype: "success", request_id: requestId, response };
    await this.#lines.write({ type: "control_response", response: answer });
  }

  async fail(requestId: string, error: string): Promise<void> {
    await this.#lines.write({
      type: "control_response",
      response: { subtype: "error", request_id: requestId, error },
    });
  }

  /** Nobody answers any more. */
  close(): void {
    this.#isClosed = true;
    for (const id of this.#waiting.keys()) this.#settle(id, null);
  }

  #settle(id: string, answer: JsonObject | null): boolean {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(answer);
    return resolve !== undefined;
  }
}

function textOf(error: JsonValue | undefined): string {
  return typeof error === "string" ? error : "the program gave no reason";
}
