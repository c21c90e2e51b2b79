export { relayModel, relayModelName, relayProviderName } from "./workspace/relay-model.ts";
export { type McpServeOptions, serveMcp } from "./serve-mcp.ts";
