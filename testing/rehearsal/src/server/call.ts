import type { IncomingMessage, ServerResponse } from "node:http";
import type { Wire } from "../wires/wire.ts";
import type { WireProblem } from "../wires/wire-problem.ts";
import type { Exchange } from "./exchange.ts";
import { redactHeaders } from "./redact-headers.ts";

/** What a request and its answer have in common. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly order: number;
  readonly path: string;
  /** Path and query. */
  readonly target: string;
  readonly wire: Wire;
}

/** What became of a request. */
export type Outcome = Omit<Exchange, "order" | "wire" | "method" | "path" | "headers" | "body">;

/** A request as asked to others. */
export function exchangeOf({ order, wire, request, path }: Call, body: unknown, outcome: Outcome): Exchange {
  const headers = redactHeaders(request.headers);
  return { order, wire: wire.name, method: request.method ?? "", path, headers, body, ...outcome };
}

/** Refuses in the wire's own shape. */
export function sendProblem(call: Call, problem: WireProblem, headers: Readonly<Record<string, string>> = {}): void {
  sendJson(call, problem.status, JSON.stringify(call.wire.renderProblem(problem, requestId(call))), headers);
}

export function sendJson(
  call: Call,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  call.response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    [call.wire.requestIdHeader]: requestId(call),
    ...headers,
  });
  call.response.end(text);
}

/** As vendors send one with every answer. */
export function requestId(call: Call): string {
  return `req_rehearsal_${String(call.order).padStart(4, "0")}`;
}
