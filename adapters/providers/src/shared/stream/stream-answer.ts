import type { ModelStreamPart } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import type { Failures } from "../failures.ts";
import { Exchange, type ExchangeCall } from "../http/exchange.ts";
import { unknownEncoding } from "../http/decode-body.ts";
import { readRateLimits } from "../http/rate-limits.ts";
import { isList, objectOf, parseJson } from "../json-fields.ts";
import { EventFeed } from "./event-feed.ts";
import { EventSource } from "./event-source.ts";
import type { WireReader } from "./wire-reader.ts";

/** Makes one call and yields its parts, one batch per piece of network input. */
export async function* streamAnswer(
  call: ExchangeCall,
  createReader: (failures: Failures) => WireReader,
): AsyncGenerator<readonly ModelStreamPart[], void, undefined> {
  const exchange = await Exchange.open(call);
  let whole = false;
  try {
    const failures = call.failures.withHeaders(exchange.head.headers);
    await refuseErrorStatus(exchange, call, failures);
    const encoding = unknownEncoding(exchange.head);
    if (encoding !== undefined)
      throw failures.protocol(`answered in the encoding ${encoding}, which was not asked for`, false);
    const rateLimits = readRateLimits(exchange.head.headers, Date.now());
    if (rateLimits.length > 0) yield [{ type: "rate-limits", limits: rateLimits }];
    const reader = createReader(failures);
    const batches = isEventStream(exchange)
      ? eventBatches(exchange, reader, failures)
      : documentBatch(exchange, reader, failures);
    for await (const batch of batches) {
      whole = reader.finished;
      yield batch;
    }
  } finally {
    exchange.release(whole ? "whole" : "broken");
  }
}

/** @throws {ProviderError} when the answer's status is an error or a redirect */
export async function refuseErrorStatus(exchange: Exchange, call: ExchangeCall, failures: Failures): Promise<void> {
  const { statusCode: status = 0, headers } = exchange.head;
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400) throw failures.redirect(status, targetOrigin(headers.location, call));
  const body = await readErrorText(exchange);
  call.signal.throwIfAborted();
  throw failures.http(status, headers, body);
}

/** An error body is read as far as it comes: the status says more than how its text broke off. */
async function readErrorText(exchange: Exchange): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for (;;) {
      const piece = await exchange.take();
      if (piece === undefined || size >= limits.errorBodyBytes) break;
      pieces.push(piece);
      size += piece.length;
    }
  } catch {
    // What arrived before the break is all there is.
  }
  return Buffer.concat(pieces).subarray(0, limits.errorBodyBytes).toString("utf8");
}

function targetOrigin(location: string | undefined, call: ExchangeCall): string {
  const target = location ?? "";
  const base = `${call.endpoint.origin}${call.endpoint.path}`;
  return URL.canParse(target, base) ? new URL(target, base).origin : "another address";
}

function isEventStream(exchange: Exchange): boolean {
  const type = exchange.head.headers["content-type"];
  return type === undefined || /^\s*text\/event-stream\b/i.test(type);
}

async function* eventBatches(
  exchange: Exchange,
  reader: WireReader,
  failures: Failures,
): AsyncGenerator<readonly ModelStreamPart[], void, undefined> {
  const feed = new EventFeed(reader, failures);
  const source = new EventSource(
    (data, name) => feed.take(data, name),
    (value) => feed.takeError(value),
  );
  for (;;) {
    const bytes = await exchange.take();
    if (bytes === undefined) break;
    const broken = errorOf(() => {
      if (!source.feed(bytes)) throw failures.protocol(`an event exceeds ${limits.eventChars} characters`, false);
    });
    feed.handOn();
    // What came before the break was said, and is shown, wherever the network cut the input.
    const batch = reader.parts.take();
    if (batch.length > 0) yield batch;
    if (reader.finished) return;
    if (broken !== undefined) throw broken;
    if (reader.parts.contentChars > limits.answerChars) {
      throw failures.protocol(`the answer exceeds ${limits.answerChars} characters`, false);
    }
  }
  const broken = errorOf(() => {
    feed.end();
    source.end();
    feed.catchUp();
    if (!reader.finished) reader.end();
  });
  const batch = reader.parts.take();
  if (batch.length > 0) yield batch;
  if (broken !== undefined && !reader.finished) throw broken;
}

function errorOf(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error), { cause: error });
  }
}

async function* documentBatch(
  exchange: Exchange,
  reader: WireReader,
  failures: Failures,
): AsyncGenerator<readonly ModelStreamPart[], void, undefined> {
  const type = exchange.head.headers["content-type"] ?? "";
  if (!/json/i.test(type)) throw failures.protocol(`answered with ${type} in place of an event stream`, false);
  const value = parseJson(await readDocumentText(exchange, failures));
  const document = objectOf(value);
  const list = reader.readList !== undefined && isList(value) ? value : undefined;
  if (document === undefined && list === undefined) {
    throw failures.protocol("answered with JSON that cannot be read", false);
  }
  const understood = document === undefined ? reader.readList?.(list ?? []) : reader.readDocument(document);
  if (understood !== true) throw failures.protocol("answered with JSON that is no message", false);
  yield reader.parts.take();
}

async function readDocumentText(exchange: Exchange, failures: Failures): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const piece = await exchange.take();
    if (piece === undefined) return new TextDecoder().decode(Buffer.concat(pieces));
    size += piece.length;
    if (size > limits.documentBytes) throw failures.protocol(`the answer exceeds ${limits.documentBytes} bytes`, false);
    pieces.push(piece);
  }
}
