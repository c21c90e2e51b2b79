import type { ModelProvider, ProviderOptions, WireName } from "@capstan/ports";
import { unreachable } from "@capstan/protocol";

/**
 * Makes the client of a wire; only its own code is loaded.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export async function createProvider(wire: WireName, options: ProviderOptions): Promise<ModelProvider> {
  switch (wire) {
    case "anthropic":
      return (await import("./anthropic/create-anthropic-provider.ts")).createAnthropicProvider(options);
    case "openai-chat":
      return (await import("./openai-chat/create-openai-chat-provider.ts")).createOpenAiChatProvider(options);
    case "openai-responses":
      return (await import("./openai-responses/create-openai-responses-provider.ts")).createOpenAiResponsesProvider(
        options,
      );
    case "google":
      return (await import("./google/create-google-provider.ts")).createGoogleProvider(options);
    default:
      return unreachable(wire);
  }
}
