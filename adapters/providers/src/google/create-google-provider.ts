import type { ModelProvider, ProviderOptions } from "@capstan/ports";
import { type ModelRequest, type ModelSettings, type ModelStreamPart, ProviderError } from "@capstan/protocol";
import type { SideCall } from "../shared/http/side-call.ts";
import type { MessageCache } from "../shared/request/message-cache.ts";
import { flagOption } from "../shared/request/model-option.ts";
import { createWireProvider } from "../shared/wire-provider.ts";
import { CachedContents } from "./cached-contents.ts";
import { googleListing } from "./google-models.ts";
import { GoogleReader } from "./google-reader.ts";
import { googleBodyText, toGoogleRequest } from "./to-google-body.ts";

/**
 * Gemini (https://ai.google.dev/api/generate-content), wire `google`. The base URL may end in a version such as `/v1beta`
 * or not; one that has a version in its path, as Vertex AI's, keeps it.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createGoogleProvider(options: ProviderOptions): ModelProvider {
  const caches = new CachedContents();
  const version = versionOf(options.baseUrl);
  const bodyText = async (
    request: ModelRequest,
    model: ModelSettings,
    messages: MessageCache,
    sideCall: SideCall,
  ): Promise<string> => {
    const parts = toGoogleRequest(request, model, messages);
    const path = [...version, "cachedContents"];
    const resource = resourceOf(model).join("/");
    const call = { request, model, parts, path, resource, sideCall };
    const prefix = isCached(model) ? await caches.find(call) : undefined;
    if (prefix === undefined) return googleBodyText({ ...parts.prompt, ...parts.generation }, parts.contents);
    return googleBodyText({ cachedContent: prefix.name, ...parts.generation }, parts.contents.slice(prefix.count));
  };
  const inner = createWireProvider(
    {
      name: "google",
      keepsKeys: false,
      path: (model) => [...version, ...resourceOf(model).slice(0, -1), `${resourceOf(model).at(-1)}:${method}`],
      query: "alt=sse",
      keyed: ["google"],
      keyHeaders: (apiKey) => ({ "x-goog-api-key": apiKey }),
      headers: {},
      bodyText,
      createReader: (origin, failures) => new GoogleReader(origin, failures),
      listing: googleListing(version),
    },
    options,
  );
  return {
    ...inner,
    stream: (request, model, signal) => ({
      [Symbol.asyncIterator]: () => streamWithFallback({ inner, caches, request, model, signal }),
    }),
  };
}

const method = "streamGenerateContent";

interface Call {
  readonly inner: ModelProvider;
  readonly caches: CachedContents;
  readonly request: ModelRequest;
  readonly model: ModelSettings;
  readonly signal: AbortSignal;
}

/** A cached content may end earlier than it should: then the request is sent once more, whole. */
async function* streamWithFallback(call: Call): AsyncGenerator<readonly ModelStreamPart[], void, undefined> {
  const { inner, request, model, signal } = call;
  try {
    yield* inner.stream(request, model, signal);
  } catch (error) {
    if (!isCacheRefusal(error) || !call.caches.forget(request)) throw error;
    const whole = { ...model, options: { ...model.options, cache_enabled: false } };
    yield* inner.stream(request, whole, signal);
  }
}

/** The vendor answers 403 or 404 for a cached content it does not have, 400 for one that does not fit. */
function isCacheRefusal(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  const { status, message } = error.failure;
  return status === 403 || status === 404 || (status === 400 && /cache/i.test(message));
}

function isCached(model: ModelSettings): boolean {
  return flagOption(model, "cache_enabled", false);
}

/** The model's resource name in its pieces, each as a path takes it. */
function resourceOf(model: ModelSettings): readonly string[] {
  const id = /^(models|tunedModels)\//.test(model.id) ? model.id : `models/${model.id}`;
  return id.split("/").map((piece) => encodeURIComponent(piece.replace(/\p{Surrogate}/gu, "")));
}

function versionOf(baseUrl: string): readonly string[] {
  const path = URL.canParse(baseUrl) ? new URL(baseUrl).pathname : "";
  return path.split("/").some((piece) => /^v\d+(?:(?:alpha|beta)\d*)?$/.test(piece)) ? [] : ["v1beta"];
}
