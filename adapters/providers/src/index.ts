export { createAnthropicProvider } from "./anthropic/create-anthropic-provider.ts";
export { toAnthropicBody } from "./anthropic/to-anthropic-body.ts";
export { createGoogleProvider } from "./google/create-google-provider.ts";
export { toGoogleBody } from "./google/to-google-body.ts";
export { createOpenAiChatProvider } from "./openai-chat/create-openai-chat-provider.ts";
export { toChatBody } from "./openai-chat/to-chat-body.ts";
export { createOpenAiResponsesProvider } from "./openai-responses/create-openai-responses-provider.ts";
export { toResponsesBody } from "./openai-responses/to-responses-body.ts";
export type { ProviderOptions } from "./provider-options.ts";
