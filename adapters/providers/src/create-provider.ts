import type { ModelProvider, ProviderOptions, WireName } from "@capstan/ports";
import { unreachable } from "@capstan/protocol";
import { createAnthropicProvider } from "./anthropic/create-anthropic-provider.ts";
import { createGoogleProvider } from "./google/create-google-provider.ts";
import { createOpenAiChatProvider } from "./openai-chat/create-openai-chat-provider.ts";
import { createOpenAiResponsesProvider } from "./openai-responses/create-openai-responses-provider.ts";

/**
 * Makes the client of a wire. All of them are in memory: on Node 20 finding a module costs more than scanning its code.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createProvider(wire: WireName, options: ProviderOptions): ModelProvider {
  switch (wire) {
    case "anthropic":
      return createAnthropicProvider(options);
    case "openai-chat":
      return createOpenAiChatProvider(options);
    case "openai-responses":
      return createOpenAiResponsesProvider(options);
    case "google":
      return createGoogleProvider(options);
    default:
      return unreachable(wire);
  }
}
