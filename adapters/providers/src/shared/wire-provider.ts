import type { ModelProvider, ProviderOptions } from "@capstan/ports";
import type { ModelOrigin, ModelRequest, ModelSettings } from "@capstan/protocol";
import { createFailures, type Failures } from "./failures.ts";
import { createConnectionPool } from "./http/connection-pool.ts";
import { type Endpoint, toEndpoint } from "./http/endpoint.ts";
import { idempotencyHeader } from "./http/idempotency-header.ts";
import { createSideCall, type SideCall } from "./http/side-call.ts";
import { listModels, type ModelListing } from "./models/list-models.ts";
import { MessageCache } from "./request/message-cache.ts";
import { flagOption } from "./request/model-option.ts";
import { streamAnswer } from "./stream/stream-answer.ts";
import { withoutStrictNulls } from "./stream/without-nulls.ts";
import type { WireReader } from "./stream/wire-reader.ts";

/** What distinguishes one wire from another. */
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
  /** Whether requests carry a key by which the vendor knows a repeated one again. */
  readonly keepsKeys: boolean;
  /** Headers that depend on the call; each is added to what the user set under its name. */
  callHeaders?(request: ModelRequest, model: ModelSettings): Readonly<Record<string, string>>;
  /** @param sideCall  for what has to be asked of the vendor before */
  bodyText(
    request: ModelRequest,
    model: ModelSettings,
    cache: MessageCache,
    sideCall: SideCall,
  ): string | Promise<string>;
  /** @param call  what was asked, where the answer cannot be read without it */
  createReader(origin: ModelOrigin, failures: Failures, call: AskedCall): WireReader;
  /** How the wire says which models there are. */
  readonly listing: ModelListing;
}

/** A call as a reader may need to know it. */
export interface AskedCall {
  readonly request: ModelRequest;
  readonly model: ModelSettings;
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
        const added = withAdded(headers, wire.callHeaders?.(request, model) ?? {});
        const base = { options, pool, failures, headers: added, signal };
        const body = await wire.bodyText(request, withBody(model, options), cache, createSideCall(base));
        const asked = { request, model };
        const sent = wire.keepsKeys ? { ...idempotencyHeader(request.stepId, body), ...added } : added;
        const answer = streamAnswer({ ...base, headers: sent, endpoint: endpointOf(model), body }, (own) =>
          wire.createReader(origin, own, asked),
        );
        return flagOption(model, "strict_tools", false) ? withoutStrictNulls(answer, request.tools) : answer;
      };
      return { [Symbol.asyncIterator]: () => lazily(start) };
    },
    models: async (signal) => {
      if (keyMissing) throw failures.missingKey();
      return listModels({ options, pool, failures, headers, signal }, wire.listing);
    },
    close: () => pool.close(),
  };
}

/** Nothing is done, and nothing thrown, before the first part is asked for. */
async function* lazily<Part>(start: () => Promise<AsyncIterable<Part>>): AsyncGenerator<Part, void, undefined> {
  yield* await start();
}

/** The body's fields join the model's options here and not earlier, because options are journaled and these may hold secrets. */
function withBody(model: ModelSettings, { body }: ProviderOptions): ModelSettings {
  return body === undefined ? model : { ...model, options: { ...model.options, body } };
}

/** Lists of values, as in `anthropic-beta`, are joined. */
function withAdded(
  headers: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const joined = Object.entries(added).map(([name, value]) => {
    const before = (headers[name] ?? "").split(",").map((item) => item.trim());
    return [name, [...new Set([...before, value])].filter((item) => item !== "").join(",")];
  });
  return { ...headers, ...Object.fromEntries(joined) };
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
    ...(apiKey === "" ? {} : keyHeaders(wire, options, apiKey)),
    ...Object.fromEntries(own),
  };
}

function keyHeaders(wire: Wire, { keyHeader }: ProviderOptions, apiKey: string): Readonly<Record<string, string>> {
  if (keyHeader === undefined) return wire.keyHeaders(apiKey);
  return { [keyHeader.name.toLowerCase()]: `${keyHeader.prefix}${apiKey}` };
}
