import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { GoodAnswer } from "./good-answer.ts";

/** What is done to one request. */
export interface Stroke {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly answer: GoodAnswer;
  /** Resolves when the client has shown something of this answer. */
  readonly shown: () => Promise<void>;
}

export type Strike = (stroke: Stroke) => void | Promise<void>;

/** A vendor on loopback that fails as configured, and otherwise gives its good answer. */
export interface FaultyVendor {
  readonly url: string;
  /** Bodies of the requests so far. */
  readonly bodies: readonly string[];
  /** So many requests from now on meet the strike. */
  fail(times: number, strike: Strike): void;
  /** To be called whenever the client shows something. */
  notifyShown(): void;
  /** Refuses connections until it listens again, at the same place. */
  stopListening(): Promise<void>;
  listenAgain(): Promise<void>;
}

export async function startFaultyVendor(answer: GoodAnswer): Promise<FaultyVendor> {
  const bodies: string[] = [];
  let left = 0;
  let strikeNow: Strike = giveGoodAnswer;
  let waiting: (() => void)[] = [];
  const shown = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(await bodyOf(request));
    const strike = left > 0 ? strikeNow : giveGoodAnswer;
    left -= 1;
    await strike({ response, socket: request.socket, answer, shown });
  };
  // A client that went away while it was answered is what some rows are about.
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  server.on("connection", (socket) => socket.on("error", () => undefined));
  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : port;
  };
  const port = await listen(0);
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(stop);
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    fail(times, strike) {
      left = times;
      strikeNow = strike;
    },
    notifyShown() {
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    stopListening: stop,
    listenAgain: async () => void (await listen(port)),
  };
}

function giveGoodAnswer({ response, answer }: Pick<Stroke, "response" | "answer">): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(answer.events.join(""));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
