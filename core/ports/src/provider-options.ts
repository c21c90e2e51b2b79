import type { JsonObject, JsonValue } from "@capstan/protocol";
import type { ModelProvider } from "./model-provider.ts";

/** The wires there are, by the names the configuration uses. */
export type WireName = "anthropic" | "openai-responses" | "openai-chat" | "google";

/** How vendors are reached, for whoever knows only what is configured about them. */
export interface Wires {
  /** Makes the client of a wire. @throws AppError `config.invalid` when the base URL is no http(s) address */
  createProvider(wire: WireName, options: ProviderOptions): Promise<ModelProvider>;
  /** Gets a JSON document from `baseUrl`, the way model calls go. @throws {ProviderError}, or the signal's reason */
  fetchJson(options: ProviderOptions, limitBytes: number, signal: AbortSignal): Promise<JsonValue>;
}

/** What the composition root decides for one provider. Times in ms. */
export interface ProviderOptions {
  /** `anthropic`, `openai-chat`, or the NAME of a `[providers.NAME]`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** How to set a key, as a sentence; shown when the key is missing or refused. */
  readonly keyHint: string;
  /** Sent with every request; win over the provider's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the key, in place of the wire's own. */
  readonly keyHeader?: KeyHeader;
  /** Parameters of every request's address; win over those of the base URL. */
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of every request's body; win over the wire's own, but never replace the conversation. */
  readonly body?: JsonObject;
  /** Until the connection (with TLS) stands. */
  readonly connectTimeoutMs: number;
  /** From then until the first byte of the answer's body. */
  readonly firstByteTimeoutMs: number;
  /** Between two pieces of the body. */
  readonly idleTimeoutMs: number;
  readonly proxyUrl?: string;
  /** Hosts that are reached without the proxy: names, `.suffixes`, `host:port`, or `*`; separated by commas. */
  readonly noProxy?: string;
  /** Certificate authorities to trust beside the built-in ones, PEM. */
  readonly caCertificates?: string;
}

/** `prefix` stands before the key: `Bearer ` with the blank, or nothing. */
export interface KeyHeader {
  readonly name: string;
  readonly prefix: string;
}
