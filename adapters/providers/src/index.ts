export { createAnthropicProvider } from "./anthropic/create-anthropic-provider.ts";
export { toAnthropicBody } from "./anthropic/to-anthropic-body.ts";
export { createGoogleProvider } from "./google/create-google-provider.ts";
export { toGoogleBody } from "./google/to-google-body.ts";
export { createOpenAiChatProvider } from "./openai-chat/create-openai-chat-provider.ts";
export { toChatBody } from "./openai-chat/to-chat-body.ts";
export type { ProviderOptions } from "./provider-options.ts";
