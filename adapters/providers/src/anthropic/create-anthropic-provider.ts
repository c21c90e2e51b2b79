import type { ModelProvider, ProviderOptions } from "@capstan/ports";
import { createWireProvider } from "../shared/wire-provider.ts";
import { anthropicListing } from "./anthropic-models.ts";
import { AnthropicReader } from "./anthropic-reader.ts";
import { thinkingHeaders } from "./anthropic-thinking.ts";
import { anthropicBodyText } from "./to-anthropic-body.ts";

/**
 * The Messages API (https://docs.anthropic.com/en/api/messages), wire `anthropic`. The base URL may end in `/v1` or not.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createAnthropicProvider(options: ProviderOptions): ModelProvider {
  return createWireProvider(
    {
      name: "anthropic",
      keepsKeys: true,
      path: ["v1", "messages"],
      keyed: ["anthropic"],
      keyHeaders: (apiKey) => ({ "x-api-key": apiKey }),
      headers: { "anthropic-version": "2023-06-01" },
      callHeaders: thinkingHeaders,
      bodyText: anthropicBodyText,
      createReader: (origin, failures) => new AnthropicReader(origin, failures),
      listing: anthropicListing,
    },
    options,
  );
}
