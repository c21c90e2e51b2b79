import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Vendor } from "../talk.ts";
import { errorBody, errorEvent } from "./error-bodies.ts";
import type { Strike } from "./faulty-vendor.ts";
import { answerPiece, type GoodAnswer } from "./good-answer.ts";

type Headers = Readonly<Record<string, string>>;

/** What the server does in each row of the table, by the row's id. */
export function strikeOf(id: string, vendor: Vendor): Strike {
  const strike = { ...refusals(vendor), ...connections, ...streams(vendor), ...bodies(vendor) }[id];
  if (strike === undefined) throw new Error(`no strike for the row ${id}`);
  return strike;
}

/** The wait that a hint asks for, in ms. */
export const requestedWaitMs = 2;

function refusals(vendor: Vendor): Readonly<Record<string, Strike>> {
  const refuse = (status: number, words = "Some words", headers: Headers = {}): Strike =>
    replying(status, { "content-type": "application/json", ...headers }, errorBody(vendor, status, { words }));
  return {
    "429-retry-after": refuse(429, "", { "retry-after": String(requestedWaitMs / 1000) }),
    "429-retry-after-ms": refuse(429, "", { "retry-after-ms": String(requestedWaitMs), "retry-after": "7" }),
    "429-retry-info": replying(429, json, errorBody(vendor, 429, { retryDelay: `${requestedWaitMs / 1000}s` })),
    "429-plain": refuse(429),
    "429-too-long": refuse(429, "", { "retry-after": "3600" }),
    "429-empty-account": replying(429, json, errorBody(vendor, 429, { emptyAccount: true })),
    "500": refuse(500),
    "503-page": replying(503, html, "<html><head><title>Service Unavailable</title></head><body>…</body></html>"),
    "529": refuse(529),
    "401": refuse(401),
    "403": refuse(403),
    "400-key": replying(400, json, errorBody(vendor, 400, { words: "API key not valid", keyRefused: true })),
    "400": refuse(400),
    "400-context": refuse(400, "prompt is too long: 250000 tokens > 200000 maximum"),
    "404": refuse(404),
    "413": refuse(413),
    "307": replying(307, { location: "http://127.0.0.1:9/elsewhere" }, ""),
  };
}

const connections: Readonly<Record<string, Strike>> = {
  reset: ({ socket }) => void socket.resetAndDestroy(),
  "reset-midway": async ({ response, socket, answer, shown }) => {
    const seen = shown();
    response.writeHead(200, eventStream);
    response.write(firstHalf(answer));
    await seen;
    socket.resetAndDestroy();
  },
  stall: () => undefined,
  "stall-head": ({ response }) => {
    response.writeHead(200, eventStream);
    response.flushHeaders();
  },
  "stall-midway": ({ response, answer }) => {
    response.writeHead(200, eventStream);
    response.write(firstHalf(answer));
  },
};

function streams(vendor: Vendor): Readonly<Record<string, Strike>> {
  return {
    cut: streaming(firstHalf),
    "cut-event": streaming((answer) => whole(answer).slice(0, -7)),
    "cut-line": streaming((answer) => whole(answer).trimEnd()),
    "delta-twice": streaming((answer) => twice(answer, [pieceAt(answer)])),
    "delta-twice-settled": streaming((answer) => twice(answer, [pieceAt(answer)])),
    "start-twice": streaming((answer) => twice(answer, [0])),
    "start-changed": streaming(({ events: [start = "", ...rest] }) =>
      [start, start.replace(/"id":"[^"]*"/, '"id":"msg_other"'), ...rest].join(""),
    ),
    "end-twice": streaming((answer) => twice(answer, endings(answer))),
    "no-json": streaming((answer) => between(answer, "data: {no json\n\n")),
    nul: streaming((answer) => between(answer, 'data: {"a\u0000": 1}\n\n')),
    comments: streaming((answer) => between(answer, ": alive\n\n:\n\nretry: 100\n\nid: 7\n\nfoo: bar\n\nfoo\n\n")),
    blank: streaming((answer) => between(answer, "data:\n\ndata: \n\nevent: ping\n\n\n\n")),
    "unknown-event": streaming((answer) => between(answer, 'event: surprise\ndata: {"type":"surprise","n":1}\n\n')),
    bom: streaming((answer) => `\ufeff${whole(answer)}`),
    crlf: streaming((answer) => whole(answer).replaceAll("\n", "\r\n")),
    "bad-utf8": streaming((answer) => Buffer.from(whole(answer).replaceAll("#", "\u00ff"), "latin1")),
    "error-first": streaming(() => errorEvent(vendor, "passing")),
    "error-later": async ({ response, answer, shown }) => {
      const seen = shown();
      response.writeHead(200, eventStream);
      response.write(firstHalf(answer));
      await seen;
      response.end(errorEvent(vendor, "passing"));
    },
    "error-line": streaming((answer) => `${firstHalf(answer)}error: {"message":"slot lost"}\n\n`),
    "error-final": streaming((answer) => firstHalf(answer) + errorEvent(vendor, "final")),
  };
}

function bodies(vendor: Vendor): Readonly<Record<string, Strike>> {
  const packed = (encoding: string, pack: (text: string) => Buffer): Strike =>
    streaming((answer) => pack(whole(answer)), { "content-encoding": encoding });
  return {
    page: replying(200, html, "<html><title>Sign in to the network</title></html>"),
    "wrong-type": streaming(whole, { "content-type": "text/plain" }),
    "json-error": replying(200, json, errorBody(vendor, 503, { words: "Overloaded" })),
    "json-nonsense": replying(200, json, '{"status":"ok"}'),
    "json-whole": ({ response, answer }) => {
      response.writeHead(200, json);
      response.end(answer.document);
    },
    empty: streaming(() => ""),
    "empty-json": replying(200, json, ""),
    "no-type": ({ response, answer }) => {
      response.writeHead(200);
      response.end(whole(answer));
    },
    gzip: packed("gzip", gzipSync),
    deflate: packed("deflate", deflateSync),
    br: packed("br", brotliCompressSync),
    zstd: packed("zstd", (text) => gzipSync(text)),
    "gzip-broken": packed("gzip", (text) => gzipSync(text).subarray(0, -20)),
  };
}

const json: Headers = { "content-type": "application/json" };
const html: Headers = { "content-type": "text/html; charset=utf-8" };
const eventStream: Headers = { "content-type": "text/event-stream" };

function replying(status: number, headers: Headers, body: string): Strike {
  return ({ response }) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

function streaming(write: (answer: GoodAnswer) => string | Buffer, headers: Headers = {}): Strike {
  return ({ response, answer }) => {
    response.writeHead(200, { ...eventStream, ...headers });
    response.end(write(answer));
  };
}

function whole({ events }: GoodAnswer): string {
  return events.join("");
}

/** Events up to the middle of the text. */
function firstHalf(answer: GoodAnswer): string {
  return answer.events.slice(0, pieceAt(answer) + 2).join("");
}

function between(answer: GoodAnswer, odd: string): string {
  const at = pieceAt(answer) + 1;
  return [...answer.events.slice(0, at), odd, ...answer.events.slice(at)].join("");
}

function twice({ events }: GoodAnswer, repeated: readonly number[]): string {
  return events.flatMap((event, at) => (repeated.includes(at) ? [event, event] : [event])).join("");
}

function pieceAt({ events }: GoodAnswer): number {
  return events.findIndex((event) => event.includes(answerPiece));
}

/** The last event, and on Chat Completions the one with the reason as well. */
function endings({ events }: GoodAnswer): readonly number[] {
  return [events.findIndex((event) => event.includes('"finish_reason":"stop"')), events.length - 1];
}
