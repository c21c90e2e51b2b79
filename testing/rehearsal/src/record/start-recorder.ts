import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { messageOf } from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { RecordedExchange } from "../scenario/recorded-exchange.ts";
import { listen, urlOf } from "../server/listen.ts";
import { readBytes } from "../server/read-body.ts";
import { findWire, plainTarget } from "../wires/find-wire.ts";
import type { Wire } from "../wires/wire.ts";
import type { WireName } from "../wires/wire-name.ts";
import { type CutBody, cutBody } from "./cut-body.ts";
import { cleanJson } from "./clean-json.ts";
import { type Redactor, withOwnSecrets, withoutSecretParameters } from "./find-secrets.ts";
import { askEndpoint, type Forwarded, passAnswer } from "./forward-request.ts";
import { recordedHeaders } from "./pass-headers.ts";
import { createRecording, type RecordingFile } from "./recording-file.ts";
import { parseTarget } from "./target.ts";

export interface RecorderOptions {
  /** Base URL of the endpoint. */
  readonly target: string;
  /** The file to write. */
  readonly file: string;
  /** Replace the file if there is one. */
  readonly replace?: boolean;
  /** 0, the default: any free one. */
  readonly port?: number;
  /** Takes secrets out of every text that is recorded, beside those that the requests carry. */
  readonly redact: Redactor;
  /** Called with every exchange when it is over. */
  readonly onExchange?: (exchange: ForwardedExchange) => void;
  /** Called once, when the file cannot be written any more; answers are still passed on. */
  readonly onFailure?: (error: unknown) => void;
}

/** What became of one request. */
export interface ForwardedExchange {
  readonly order: number;
  readonly wire: WireName;
  readonly method: string;
  /** Path and query without secrets, as the client sent them. */
  readonly path: string;
  readonly status: number;
  readonly end: "whole" | "broken-off";
  /** Why the endpoint could not be asked; such an exchange is not recorded. */
  readonly problem?: string;
}

/** A server between a client and an endpoint. */
export interface Recorder {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** The endpoint's path, which clients may put into their base URL; without a trailing slash. */
  readonly basePath: string;
  /** Breaks off open answers, records them as such, and resolves when the file is closed. May be called again. */
  readonly close: () => Promise<void>;
}

/**
 * Passes every request on to an endpoint and its answer back, and records both without their secrets.
 * @throws {AppError} `usage.invalid` for the target or the file, `rehearsal.port` when the server cannot listen there
 */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const target = parseTarget(options.target);
  const running = new Set<Promise<void>>();
  const { file: path, replace = false } = options;
  const file = await createRecording({ path, name: `recording of ${target.host}`, replace });
  const state: RecorderState = { target, options, file, nextOrder: 1, failed: false };
  const server = createServer({ keepAliveTimeout: limits.keepAliveMs }, (request, response) => {
    const answer = forward(state, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(messageOf(error)));
    });
    running.add(answer);
    void answer.finally(() => running.delete(answer));
  });
  const host = "127.0.0.1";
  const port = await listen(server, options.port ?? 0, host).catch(async (error: unknown) => {
    await file.discard();
    throw error;
  });
  return {
    url: urlOf(host, port),
    port,
    basePath: target.pathname.replace(/\/+$/, ""),
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(running);
      await file.close();
    },
  };
}

interface RecorderState {
  readonly target: URL;
  readonly options: RecorderOptions;
  readonly file: RecordingFile;
  nextOrder: number;
  failed: boolean;
}

async function forward(state: RecorderState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const order = state.nextOrder;
  state.nextOrder += 1;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const call = describeCall(request, response, { order, redactor: state.options.redact });
  const body = await readBytes(request).catch(() => undefined);
  // Without a body the client went away while sending: nobody is left to answer.
  if (body === undefined) return;
  if (body === "too-large") return refuse(state, call, 413, "the request is too large");
  const incoming = await askEndpoint(state.target, request, body, gone.signal).catch((error: unknown) =>
    messageOf(error),
  );
  if (typeof incoming === "string") {
    // A client that left before any answer is no failure of the endpoint, and nothing to record.
    if (gone.signal.aborted) return;
    return refuse(state, call, 502, `${state.target.origin} cannot be reached: ${incoming}`);
  }
  const forwarded = await passAnswer(incoming, response, gone.signal);
  // What a client has seen to its end is on disk.
  const compression = incoming.headers["content-encoding"];
  const cut = cutBody(forwarded.chunks, compression, call.redact);
  await append(state, call, toExchange(call, body, forwarded, cut));
  const end = forwarded.isWhole ? "whole" : "broken-off";
  const problem = cut === undefined ? { problem: `an answer in the encoding ${compression} cannot be recorded` } : {};
  state.options.onExchange?.({ ...call.reported, status: incoming.statusCode ?? 0, end, ...problem });
  if (forwarded.isWhole) response.end();
  else response.socket?.destroySoon();
}

interface Call {
  readonly response: ServerResponse;
  readonly wire: Wire;
  readonly redact: Redactor;
  readonly reported: Pick<ForwardedExchange, "order" | "wire" | "method" | "path">;
}

function describeCall(
  request: IncomingMessage,
  response: ServerResponse,
  { order, redactor }: { readonly order: number; readonly redactor: Redactor },
): Call {
  const target = request.url ?? "/";
  const redact = withOwnSecrets(redactor, request.headers, target);
  const { wire } = findWire(plainTarget(target), request.headers);
  const path = redact(withoutSecretParameters(target));
  return { response, wire, redact, reported: { order, wire: wire.name, method: request.method ?? "GET", path } };
}

function toExchange(
  { reported, redact }: Call,
  body: Buffer,
  { incoming, isWhole, isCut }: Forwarded,
  cut: CutBody | undefined,
): RecordedExchange {
  const value = jsonOf(body);
  return {
    ...reported,
    path: plainTarget(reported.path),
    ...(value !== undefined && { body: cleanJson(value, redact) }),
    answer: {
      status: incoming.statusCode ?? 502,
      headers: Object.fromEntries(
        Object.entries(recordedHeaders(incoming.headers)).map(([name, text]) => [name, redact(text)]),
      ),
      ...(cut ?? { pieces: [] }),
      end: isWhole && !isCut && cut !== undefined ? "whole" : "broken-off",
    },
  };
}

/** Appends to the file; after a first failure nothing more is, and once the client has its answer that is reported. */
async function append(state: RecorderState, { response }: Call, exchange: RecordedExchange): Promise<void> {
  if (state.failed) return;
  try {
    await state.file.append(exchange);
  } catch (error) {
    if (state.failed) return;
    state.failed = true;
    const notify = (): void => state.options.onFailure?.(error);
    if (response.closed) notify();
    else response.once("close", notify);
  }
}

function refuse(state: RecorderState, call: Call, status: number, problem: string): void {
  state.options.onExchange?.({ ...call.reported, status, end: "whole", problem });
  const { wire, response } = call;
  const text = JSON.stringify(wire.renderProblem(wire.problemOf(status, `recording: ${problem}`), "req_recording"));
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
