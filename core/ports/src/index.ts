export type { Chance } from "./chance.ts";
export type { Clock } from "./clock.ts";
export type { ContextSource } from "./context-source.ts";
export type { Digest } from "./digest.ts";
export type { ModelProvider } from "./model-provider.ts";
export type { AppendBatch, SessionStore } from "./session-store.ts";
export type { Staged, Tool, ToolCatalog, ToolContext, ToolResult, ToolRunContext } from "./tool.ts";
