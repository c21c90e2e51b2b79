export const wireNames = ["anthropic", "openai-chat", "openai-responses", "google"] as const;
export type WireName = (typeof wireNames)[number];
