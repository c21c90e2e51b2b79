import type { ModelProvider } from "@capstan/ports";
import type { ModelOrigin, ModelRequest, ModelSettings } from "@capstan/protocol";
import type { ProviderOptions } from "../provider-options.ts";
import { createFailures, type Failures } from "./failures.ts";
import { createConnectionPool } from "./http/connection-pool.ts";
import { type Endpoint, toEndpoint } from "./http/endpoint.ts";
import { createSideCall, type SideCall } from "./http/side-call.ts";
import { MessageCache } from "./request/message-cache.ts";
import { streamAnswer } from "./stream/stream-answer.ts";
import type { WireReader } from "./stream/wire-reader.ts";

/** What tells one wire from another. */
export interface Wire {
  readonly name: string;
  /** Path of the call below the base URL; a function where it names the model. */
  readonly path: readonly string[] | ((model: ModelSettings) => readonly string[]);
  /** Query of the call. */
  readonly query?: string;
  /** Providers that never answer without a key. */
  readonly keyed: readonly string[];
  keyHeaders(apiKey: string): Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** @param sideCall  for what has to be asked of the vendor before */
  bodyText(
    request: ModelRequest,
    model: ModelSettings,
    cache: MessageCache,
    sideCall: SideCall,
  ): string | Promise<string>;
  createReader(origin: ModelOrigin, failures: Failures): WireReader;
}

/**
 * A provider on one wire.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createWireProvider(wire: Wire, options: ProviderOptions): ModelProvider {
  const { path } = wire;
  const endpoint = toEndpoint(options, typeof path === "function" ? [] : path, wire.query);
  const endpointOf = (model: ModelSettings): Endpoint =>
    typeof path === "function" ? toEndpoint(options, path(model), wire.query) : endpoint;
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
      const start = async (): Promise<ReturnType<typeof streamAnswer>> => {
        if (keyMissing) throw failures.missingKey();
        const base = { options, pool, failures, headers, signal };
        const body = await wire.bodyText(request, model, cache, createSideCall(base));
        return streamAnswer({ ...base, endpoint: endpointOf(model), body }, (own) => wire.createReader(origin, own));
      };
      return { [Symbol.asyncIterator]: () => lazily(start) };
    },
    close: () => pool.close(),
  };
}

/** Nothing is done, and nothing thrown, before the first part is asked for. */
async function* lazily<Part>(start: () => Promise<AsyncIterable<Part>>): AsyncGenerator<Part, void, undefined> {
  yield* await start();
}

function hasOwnKey(options: ProviderOptions): boolean {
  return Object.keys(options.headers).some((name) => /^(authorization|x-api-key|api-key|x-goog-api-key)$/i.test(name));
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
