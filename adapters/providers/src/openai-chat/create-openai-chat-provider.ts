import type { ModelProvider, ProviderOptions } from "@capstan/ports";
import { openAiListing } from "../shared/models/open-ai-listing.ts";
import { createWireProvider } from "../shared/wire-provider.ts";
import { ChatReader } from "./chat-reader.ts";
import { chatBodyText } from "./to-chat-body.ts";

/**
 * Chat Completions (https://platform.openai.com/docs/api-reference/chat), wire `openai-chat`: OpenAI itself and the servers
 * that speak like it. The base URL ends in `/v1` as usual, and may carry a query.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createOpenAiChatProvider(options: ProviderOptions): ModelProvider {
  return createWireProvider(
    {
      name: "openai-chat",
      keepsKeys: true,
      path: ["chat", "completions"],
      keyed: ["openai", "openai-chat"],
      keyHeaders: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
      headers: {},
      bodyText: chatBodyText,
      createReader: (origin, failures, asked) => new ChatReader(origin, failures, asked),
      listing: openAiListing,
    },
    options,
  );
}
