import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { limits } from "../../limits.ts";
import type { ProviderOptions } from "@capstan/ports";
import type { Failures } from "../failures.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { decodeBody } from "./decode-body.ts";
import { drain } from "./drain.ts";
import type { Endpoint } from "./endpoint.ts";

/** One request with everything that bounds it. */
export interface ExchangeCall {
  readonly options: ProviderOptions;
  readonly endpoint: Endpoint;
  readonly pool: ConnectionPool;
  readonly failures: Failures;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: a GET. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

type Phase = "connect" | "first-byte" | "idle";

/**
 * One request and its answer. The body is taken in batches: whatever arrived since the last look, joined.
 * The socket is closed at once when the signal aborts, and by `release` unless the answer was read to its end.
 */
export class Exchange {
  private readonly call: ExchangeCall;
  private request: ClientRequest | undefined;
  private response: IncomingMessage | undefined;
  private body: Readable | undefined;
  private failures: Failures;
  private queue: Buffer[] = [];
  private queuedBytes = 0;
  private receivedPieces = 0;
  private receivedBytes = 0;
  private phase: Phase = "connect";
  private timer: NodeJS.Timeout | undefined;
  private error: Error | undefined;
  private ended = false;
  private released = false;
  private wake: (() => void) | undefined;
  private readonly onAbort = (): void => this.abort();

  private constructor(call: ExchangeCall) {
    this.call = call;
    this.failures = call.failures;
  }

  /**
   * Sends the request and waits for the head of the answer.
   * @throws {ProviderError} `provider.network`, `provider.timeout`; the signal's reason when it aborts
   */
  static async open(call: ExchangeCall): Promise<Exchange> {
    call.signal.throwIfAborted();
    const exchange = new Exchange(call);
    call.signal.addEventListener("abort", exchange.onAbort, { once: true });
    exchange.enter("connect");
    try {
      await exchange.send();
      while (exchange.response === undefined) {
        exchange.throwIfFailed();
        await exchange.news();
      }
      call.signal.throwIfAborted();
    } catch (error) {
      exchange.release("broken");
      throw error;
    }
    return exchange;
  }

  /** The head of the answer. */
  get head(): IncomingMessage {
    if (this.response === undefined) throw new Error("an exchange is open only once its head has arrived");
    return this.response;
  }

  /** What arrived since the last call, in order; `undefined` once the body has ended. */
  async take(): Promise<Buffer | undefined> {
    for (;;) {
      this.call.signal.throwIfAborted();
      const first = this.queue[0];
      if (first !== undefined) return this.emptyQueue(first);
      this.throwIfFailed();
      if (this.ended) return undefined;
      await this.news();
    }
  }

  /** Frees the exchange. `whole`: the answer is complete, so the connection may be kept once the last bytes passed. */
  release(answer: "whole" | "broken"): void {
    if (this.released) return;
    this.released = true;
    clearTimeout(this.timer);
    this.call.signal.removeEventListener("abort", this.onAbort);
    if (this.ended) return;
    const close = (): void => void this.request?.destroy();
    if (answer === "broken" || this.body === undefined) close();
    else drain(this.body, close);
  }

  private async send(): Promise<void> {
    const payload = this.call.body === undefined ? undefined : Buffer.from(this.call.body, "utf8");
    const length = payload === undefined ? {} : { "content-length": String(payload.length) };
    const method = payload === undefined ? "GET" : "POST";
    const headers = { ...this.call.headers, ...length };
    try {
      this.request = await this.call.pool.begin({ method, path: this.call.endpoint.path, headers });
    } catch (error) {
      throw this.failures.network(this.call.endpoint.origin, asError(error));
    }
    this.request.on("error", (error) => this.broke(error));
    this.request.on("response", (response) => this.answered(response));
    this.request.on("socket", (socket) => this.connecting(socket));
    if (this.call.signal.aborted) this.abort();
    else this.request.end(payload);
  }

  private connecting(socket: Socket): void {
    const connected = (): void => {
      if (this.phase === "connect") this.enter("first-byte");
    };
    if (this.request?.reusedSocket === true) connected();
    else if (this.call.endpoint.secure) socket.once("secureConnect", connected);
    else if (socket.connecting) socket.once("connect", connected);
    else connected();
  }

  private answered(response: IncomingMessage): void {
    this.failures = this.failures.withHeaders(response.headers);
    this.response = response;
    if (this.phase === "connect") this.enter("first-byte");
    response.on("error", (error) => this.broke(error));
    response.on("close", () => {
      if (!response.complete) this.broke(new Error("the connection was closed"));
    });
    const body = decodeBody(response);
    this.body = body;
    body.on("data", (piece: Buffer) => this.received(piece, body));
    body.on("end", () => {
      this.ended = true;
      this.notify();
    });
    if (body !== response) body.on("error", (error) => this.broke(error));
    this.notify();
  }

  private received(piece: Buffer, body: Readable): void {
    if (this.released) return;
    this.receivedPieces += 1;
    this.receivedBytes += piece.length;
    if (this.receivedBytes > limits.streamBytes) {
      this.failWith(this.failures.protocol(`the answer exceeds ${limits.streamBytes} bytes`, false));
      return;
    }
    if (this.phase === "idle") this.timer?.refresh();
    else this.enter("idle");
    this.queue.push(piece);
    this.queuedBytes += piece.length;
    if (this.queuedBytes > limits.queuedBytes) body.pause();
    this.notify();
  }

  private emptyQueue(first: Buffer): Buffer {
    const all = this.queue.length === 1 ? first : Buffer.concat(this.queue, this.queuedBytes);
    this.queue = [];
    if (this.queuedBytes > limits.queuedBytes) this.body?.resume();
    this.queuedBytes = 0;
    return all;
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    clearTimeout(this.timer);
    if (this.released || this.error !== undefined) return;
    this.timer = setTimeout(() => this.late(), this.patienceMs());
  }

  private patienceMs(): number {
    const { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs } = this.call.options;
    if (this.phase === "connect") return connectTimeoutMs;
    return this.phase === "first-byte" ? firstByteTimeoutMs : idleTimeoutMs;
  }

  /** A process that slept, or a consumer that is busy, is not a silent vendor: input that is already there is looked at first. */
  private late(): void {
    const { phase, receivedPieces } = this;
    setImmediate(() => {
      if (this.released || this.phase !== phase || this.ended) return;
      if (this.receivedPieces !== receivedPieces || this.queuedBytes > 0) this.timer?.refresh();
      else this.failWith(this.failures.timeout(this.lateMessage()));
    });
  }

  private lateMessage(): string {
    const waited = `${this.patienceMs() / 1000} s`;
    if (this.phase === "connect") return `no connection to ${this.call.endpoint.origin} within ${waited}`;
    return this.phase === "first-byte" ? `no answer within ${waited}` : `nothing more arrived for ${waited}`;
  }

  private broke(cause: Error): void {
    if (this.released || this.ended || this.error !== undefined) return;
    const failure =
      this.response === undefined
        ? this.failures.network(this.call.endpoint.origin, cause)
        : this.failures.cut("the connection broke in the middle of the answer", cause);
    this.failWith(failure);
  }

  private failWith(error: Error): void {
    this.error ??= error;
    clearTimeout(this.timer);
    this.request?.destroy();
    this.notify();
  }

  private abort(): void {
    clearTimeout(this.timer);
    this.request?.destroy();
    this.notify();
  }

  private throwIfFailed(): void {
    this.call.signal.throwIfAborted();
    if (this.error !== undefined) throw this.error;
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private notify(): void {
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
