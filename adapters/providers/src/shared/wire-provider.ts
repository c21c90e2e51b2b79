import type { ModelProvider } from "@capstan/ports";
import type { ModelOrigin, ModelRequest, ModelSettings } from "@capstan/protocol";
import type { ProviderOptions } from "../provider-options.ts";
import { createFailures, type Failures } from "./failures.ts";
import { createConnectionPool } from "./http/connection-pool.ts";
import { toEndpoint } from "./http/endpoint.ts";
import { MessageCache } from "./request/message-cache.ts";
import { streamAnswer } from "./stream/stream-answer.ts";
import type { WireReader } from "./stream/wire-reader.ts";

/** What tells one wire from another. */
export interface Wire {
  readonly name: string;
  /** Path of the call below the base URL. */
  readonly path: readonly string[];
  /** Providers that never answer without a key. */
  readonly keyed: readonly string[];
  keyHeaders(apiKey: string): Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  bodyText(request: ModelRequest, model: ModelSettings, cache: MessageCache): string;
  createReader(origin: ModelOrigin, failures: Failures): WireReader;
}

/**
 * A provider on one wire.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createWireProvider(wire: Wire, options: ProviderOptions): ModelProvider {
  const endpoint = toEndpoint(options, wire.path);
  const pool = createConnectionPool(options, endpoint);
  const cache = new MessageCache();
  const failures = createFailures(options);
  const apiKey = options.apiKey?.trim() ?? "";
  const headers = headersOf(wire, options, apiKey);
  const keyMissing = apiKey === "" && wire.keyed.includes(options.name) && !endpoint.loopback && !hasOwnKey(options);

  return {
    wire: wire.name,
    stream: (request, model, signal) => {
      const origin: ModelOrigin = { provider: options.name, model: model.id, wire: wire.name };
      const start = (): ReturnType<typeof streamAnswer> => {
        if (keyMissing) throw failures.missingKey();
        const body = wire.bodyText(request, model, cache);
        return streamAnswer({ options, endpoint, pool, failures, headers, body, signal }, (own) =>
          wire.createReader(origin, own),
        );
      };
      return { [Symbol.asyncIterator]: () => lazily(start) };
    },
    close: () => pool.close(),
  };
}

/** Nothing is done, and nothing thrown, before the first part is asked for. */
async function* lazily<Part>(start: () => AsyncIterable<Part>): AsyncGenerator<Part, void, undefined> {
  yield* start();
}

function hasOwnKey(options: ProviderOptions): boolean {
  return Object.keys(options.headers).some((name) => /^(authorization|x-api-key|api-key)$/i.test(name));
}

function headersOf(wire: Wire, options: ProviderOptions, apiKey: string): Readonly<Record<string, string>> {
  const own = Object.entries(options.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    accept: "text/event-stream",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": "capstan",
    ...wire.headers,
    ...(apiKey === "" ? {} : wire.keyHeaders(apiKey)),
    ...Object.fromEntries(own),
  };
}
