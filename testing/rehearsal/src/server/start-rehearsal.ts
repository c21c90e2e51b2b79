import { once } from "node:events";
import { createServer } from "node:http";
import { messageOf } from "@capstan/protocol";
import { usualTokens } from "../cache/prompt-cache.ts";
import { limits } from "../limits.ts";
import { type Comparison, createPlayback } from "../replay/playback.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Exchange } from "./exchange.ts";
import { createPlayhead } from "./playhead.ts";
import { listen, urlOf } from "./listen.ts";
import { serveRequests } from "./serve-requests.ts";

export interface RehearsalOptions {
  readonly scenario: Scenario;
  /** 0, the default: any free one. */
  readonly port?: number;
  /** Loopback by default; the server knows no keys, so think twice before opening it to others. */
  readonly host?: string;
  /** `off` lets any JSON through to the next turn: for measuring, and for clients that are not ours. */
  readonly checks?: "strict" | "off";
  /** How requests are compared with recorded ones; `strict` by default. */
  readonly comparison?: Comparison;
  /** How many tokens a text has, where the scenario does not say; a quarter of its characters unless given. */
  readonly countTokens?: (text: string) => number;
  /** Called with every request when its answer begins. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A running rehearsal. */
export interface Rehearsal {
  /** Without a trailing slash or `/v1`: Anthropic's base URL as it is, OpenAI's with `/v1` behind it. */
  readonly url: string;
  readonly port: number;
  /** The latest requests, oldest first. */
  readonly exchanges: readonly Exchange[];
  /** Turns and recorded exchanges not served yet; 0 for scenarios that loop. */
  readonly unused: () => number;
  /** Breaks off open answers and resolves when the port is free. May be called again. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a scenario on loopback: a scripted model behind the vendors' own wires.
 * @throws {AppError} `rehearsal.port` when the server cannot listen there
 */
export async function startRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const {
    scenario,
    host = "127.0.0.1",
    port = 0,
    checks = "strict",
    comparison = "strict",
    countTokens = usualTokens,
  } = options;
  const playhead = createPlayhead(scenario);
  const playback = createPlayback(scenario.exchanges ?? [], scenario.loop);
  const exchanges: Exchange[] = [];
  const record = (exchange: Exchange): void => {
    exchanges.push(exchange);
    if (exchanges.length > limits.keptExchanges) exchanges.shift();
    options.onExchange?.(exchange);
  };
  const handle = serveRequests({ scenario, playhead, playback, checks, comparison, record, countTokens });
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
    url: urlOf(host, boundPort),
    port: boundPort,
    exchanges,
    unused: () => playhead.unused() + playback.unused(),
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
