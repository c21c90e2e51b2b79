import type { LineChannel, ReceivedLine } from "@capstan/remote";
import { maxRequestsInFlight } from "../limits.ts";
import { RpcError, rpcCodes, type RpcProblem, rpcProblemOf } from "./rpc-error.ts";
import { readRpcMessage, type RpcId, type RpcMessage } from "./rpc-message.ts";

/** What a request is answered. */
export interface Answer {
  readonly result: object;
  /** Runs once it is answered. */
  readonly after?: () => void;
}

/** Takes what the other side sends. */
export interface RpcHandlers {
  /** @throws RpcError, AppError: what it is answered in place of a result */
  request(method: string, params: unknown, id: RpcId): Promise<Answer>;
  notification(method: string, params: unknown): void;
}

/** A request of ours that is under way. */
export interface SentRequest {
  /** @throws RpcError what the other side answered; that the connection has ended */
  readonly answer: Promise<unknown>;
  /** The answer is not wanted any more, and does not count. */
  cancel(): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: RpcError): void;
}

/** JSON-RPC 2.0 over lines, both ways. Total: whatever comes is answered or passed over, and the connection lives on. */
export class RpcPeer {
  readonly #channel: LineChannel;
  readonly #handlers: RpcHandlers;
  readonly #waiting = new Map<RpcId, Waiting>();
  readonly #inFlight = new Set<Promise<void>>();
  #sent = 0;
  #hasEnded = false;

  constructor(channel: LineChannel, handlers: RpcHandlers) {
    this.#channel = channel;
    this.#handlers = handlers;
  }

  /** The other side sends nothing more: no request of ours is answered. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when the other side sends nothing more. */
  async run(): Promise<void> {
    for await (const line of this.#channel.lines) await this.#receive(line);
    this.#hasEnded = true;
    for (const waiting of this.#waiting.values()) waiting.reject(ended());
    this.#waiting.clear();
  }

  /** Resolves when the requests under way are answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /** Resolves when more can be sent. A connection that has ended notifies nobody. */
  async notify(method: string, params: object): Promise<void> {
    await this.#send({ jsonrpc: "2.0", method, params });
  }

  request(method: string, params: object): SentRequest {
    this.#sent += 1;
    const id = this.#sent;
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#hasEnded) reject(ended());
      else this.#waiting.set(id, { resolve, reject });
    });
    // It may fail before it is waited for.
    answer.catch(() => undefined);
    void this.#send({ jsonrpc: "2.0", id, method, params });
    return {
      answer,
      cancel: () => {
        if (this.#waiting.has(id)) void this.notify("$/cancel_request", { requestId: id });
      },
    };
  }

  /** Resolves when the next line may be read: what is refused is answered first, so that a flood waits for its reader. */
  async #receive(received: ReceivedLine): Promise<void> {
    if (received.type === "refused")
      return this.#answer(null, { error: { code: rpcCodes.invalidRequest, message: received.reason } });
    const message = readRpcMessage(received.text);
    switch (message.type) {
      case "refused":
        return this.#answer(message.id, { error: message.problem });
      case "response":
        return this.#settle(message);
      case "notification":
        return this.#handlers.notification(message.method, message.params);
      case "request":
        return this.#begin(message);
    }
  }

  async #begin({ id, method, params }: Extract<RpcMessage, { type: "request" }>): Promise<void> {
    if (this.#inFlight.size >= maxRequestsInFlight) {
      const message = `at most ${maxRequestsInFlight} requests can be under way at once`;
      return this.#answer(id, { error: { code: rpcCodes.internal, message, data: { code: "door.rate" } } });
    }
    const work = this.#carryOut(id, method, params);
    this.#inFlight.add(work);
    void work.finally(() => this.#inFlight.delete(work));
  }

  async #carryOut(id: RpcId, method: string, params: unknown): Promise<void> {
    try {
      const { result, after } = await this.#handlers.request(method, params, id);
      await this.#answer(id, { result });
      after?.();
    } catch (error) {
      await this.#answer(id, { error: rpcProblemOf(error) });
    }
  }

  #settle({ id, result, problem }: Extract<RpcMessage, { type: "response" }>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (problem === null) waiting?.resolve(result);
    else waiting?.reject(new RpcError(problem.code, problem.message));
  }

  async #answer(id: RpcId, answer: { readonly result: unknown } | { readonly error: RpcProblem }): Promise<void> {
    await this.#send({ jsonrpc: "2.0", id, ...answer });
  }

  async #send(message: object): Promise<void> {
    await this.#channel.send(JSON.stringify(message)).catch(() => undefined);
  }
}

function ended(): RpcError {
  return new RpcError(rpcCodes.internal, "the connection has ended", { code: "remote.closed" });
}
