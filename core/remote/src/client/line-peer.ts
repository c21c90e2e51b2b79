import { AppError, isJsonObject } from "@capstan/protocol";
import { closedChannel } from "../channel/stream-channel.ts";
import type { LineChannel, ReceivedLine } from "../channel/line-channel.ts";
import { maxNesting, maxRequestLineBytes } from "../limits.ts";
import type { OperationId, Params, Result } from "../operations/operation-types.ts";
import { operations } from "../operations/operations.ts";
import { type EventLine, eventLine, problemSchema } from "../wire/event-line.ts";
import { nestingOf } from "../wire/nesting.ts";
import { errorOf } from "../wire/problem.ts";

interface Waiting {
  answer(result: unknown): void;
  fail(error: Error): void;
}

/** Takes the events of one stream. */
export interface StreamListener {
  event(line: EventLine, characters: number): void;
  /** The connection has ended. */
  lost(error: AppError): void;
}

/** The client's side of a channel: requests with ids, their answers, and events to who began their stream. */
export class LinePeer {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<AppError>;
  readonly #channel: LineChannel;
  readonly #onEvent: (line: EventLine) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #streams = new Map<string, StreamListener>();
  #failure: AppError | undefined;
  #requests = 0;

  /** @param onEvent  takes events that belong to no stream */
  constructor(channel: LineChannel, onEvent: (line: EventLine) => void) {
    this.#channel = channel;
    this.#onEvent = onEvent;
    this.closed = this.#read();
  }

  /** @throws AppError what the server reports; `remote.*` */
  request<Id extends OperationId>(op: Id, params: Params<Id>): Promise<Result<Id>> {
    return this.#ask(this.#newId(), op, params);
  }

  /** Begins a stream: its events go to the listener from the first on. @returns its name */
  async begin<Id extends "attach" | "sessions.watch" | "sessions.export" | "interactions.watch">(
    op: Id,
    params: Params<Id>,
    listener: StreamListener,
  ): Promise<string> {
    const id = this.#newId();
    this.#streams.set(id, listener);
    try {
      await this.#ask(id, op, params);
    } catch (error) {
      this.#streams.delete(id);
      throw error;
    }
    return id;
  }

  /** Ends a stream here and there. */
  end(stream: string): void {
    if (!this.#streams.delete(stream)) return;
    this.notify("detach", { stream });
  }

  /** Sends what needs no answer. Where the connection has ended, nobody needs it. */
  notify<Id extends OperationId>(op: Id, params: Params<Id>): void {
    this.#channel.send(JSON.stringify({ op, params })).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#channel.close();
    await this.closed;
  }

  #newId(): string {
    this.#requests += 1;
    return String(this.#requests);
  }

  async #ask<Id extends OperationId>(id: string, op: Id, params: Params<Id>): Promise<Result<Id>> {
    if (this.#failure !== undefined) throw this.#failure;
    const line = JSON.stringify({ id, op, params });
    requireAcceptable(op, line);
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { answer: resolve, fail: reject });
    });
    // The answer may fail before it is waited for.
    answer.catch(() => undefined);
    await this.#channel.send(line).catch((error: unknown) => {
      this.#waiting.delete(id);
      throw error;
    });
    const { data, error } = operations[op].result.safeParse(await answer);
    if (error !== undefined) throw noAnswer(`${op}: ${error.issues[0]?.message ?? "no result"}`);
    return data;
  }

  async #read(): Promise<AppError> {
    let failure = closedChannel();
    try {
      for await (const received of this.#channel.lines) this.#receive(received);
    } catch (error) {
      if (error instanceof AppError) failure = error;
    }
    this.#failure = failure;
    for (const waiting of this.#waiting.values()) waiting.fail(failure);
    for (const listener of this.#streams.values()) listener.lost(failure);
    this.#waiting.clear();
    this.#streams.clear();
    await this.#channel.close();
    return failure;
  }

  /** @throws AppError `remote.protocol`: without this line, an answer would be waited for that never comes */
  #receive(received: ReceivedLine): void {
    if (received.type === "refused") throw noAnswer(received.reason);
    let line: unknown;
    try {
      line = JSON.parse(received.text);
    } catch {
      throw noAnswer("a line is no valid JSON");
    }
    if (!isJsonObject(line)) throw noAnswer("a line is no JSON object");
    if (typeof line["event"] === "string") this.#dispatch(line, received.text.length);
    else this.#settle(line);
  }

  #settle(line: Readonly<Record<string, unknown>>): void {
    const { id, ok, result, error } = line;
    // An error without an id is about a line that the server could not read: no request of ours.
    if (typeof id !== "string") return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (ok === true) return waiting?.answer(result);
    const { data } = problemSchema.safeParse(error);
    waiting?.fail(data === undefined ? noAnswer("an error without a code") : errorOf(data));
  }

  /** Events that this version does not know are skipped. */
  #dispatch(line: unknown, characters: number): void {
    const { data } = eventLine.safeParse(line);
    if (data === undefined) return;
    if (data.event === "fault") return this.#onEvent(data);
    const listener = this.#streams.get(data.stream);
    if (data.event === "closed") this.#streams.delete(data.stream);
    listener?.event(data, characters);
  }
}

function noAnswer(what: string): AppError {
  return new AppError("remote.protocol", `the other process sent what is no answer: ${what}`);
}

/** What the server would refuse without saying whose request it was. */
function requireAcceptable(op: OperationId, line: string): void {
  if (line.length > maxRequestLineBytes || new TextEncoder().encode(line).length > maxRequestLineBytes)
    throw new AppError("door.schema", `${op}: the request has more than ${maxRequestLineBytes} bytes`);
  if (nestingOf(line) > maxNesting)
    throw new AppError("door.schema", `${op}: the request nests deeper than ${maxNesting}`);
}
