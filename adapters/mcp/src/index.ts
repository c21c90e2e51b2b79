export { type McpOptions, openMcpSource, type OpenedMcp } from "./mcp-source.ts";
export type { McpPlace, McpServer } from "./mcp-server.ts";
