import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { AppError, messageOf } from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Exchange } from "./exchange.ts";
import { createPlayhead } from "./playhead.ts";
import { serveRequests } from "./serve-requests.ts";

export interface RehearsalOptions {
  readonly scenario: Scenario;
  /** 0, the default: any free one. */
  readonly port?: number;
  /** Loopback by default; the server knows no keys, so think twice before opening it to others. */
  readonly host?: string;
  /** `off` lets any JSON through to the next turn: for measuring, and for clients that are not ours. */
  readonly checks?: "strict" | "off";
  /** Told about every request when its answer begins. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A running rehearsal. */
export interface Rehearsal {
  /** Without a trailing slash or `/v1`: Anthropic's base URL as it is, OpenAI's with `/v1` behind it. */
  readonly url: string;
  readonly port: number;
  /** The latest requests, oldest first. */
  readonly exchanges: readonly Exchange[];
  /** Turns not served whole yet; 0 for scenarios that loop. */
  readonly unused: () => number;
  /** Breaks off open answers and resolves when the port is free. May be called again. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a scenario on loopback: a scripted model behind the vendors' own wires.
 * @throws {AppError} `rehearsal.port` when the server cannot listen there
 */
export async function startRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { scenario, host = "127.0.0.1", port = 0, checks = "strict" } = options;
  const playhead = createPlayhead(scenario);
  const exchanges: Exchange[] = [];
  const record = (exchange: Exchange): void => {
    exchanges.push(exchange);
    if (exchanges.length > limits.keptExchanges) exchanges.shift();
    options.onExchange?.(exchange);
  };
  const handle = serveRequests({ scenario, playhead, checks, record });
  const running = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: limits.keepAliveMs }, (request, response) => {
    const answer = handle(request, response).catch((error: unknown) => {
      // A listener that throws, or a bug: the client must not wait for an answer that will not come.
      response.destroy(error instanceof Error ? error : new Error(messageOf(error)));
    });
    running.add(answer);
    void answer.finally(() => running.delete(answer));
  });
  const boundPort = await listen(server, port, host);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    exchanges,
    unused: () => playhead.unused(),
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(running);
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    const listening = once(server, "listening");
    server.listen({ port, host });
    await listening;
  } catch (error) {
    throw new AppError("rehearsal.port", `cannot listen on ${host}:${port}: ${reason(error)}`, {
      cause: error,
      hint: "Choose another port with `--port`; 0 takes any free one.",
    });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function reason(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  switch (code) {
    case "EADDRINUSE":
      return "the port is in use";
    case "EACCES":
      return "the port needs more rights";
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return "this machine has no such address";
    default:
      return messageOf(error);
  }
}
