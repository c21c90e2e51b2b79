export type { SampleAnswer, Sampler, SampleRequest } from "./asking/sample.ts";
export { startProgram } from "./connect/start-program.ts";
export { type McpOptions, openMcpSource, type OpenedMcp } from "./mcp-source.ts";
export type { McpPlace, McpServer } from "./mcp-server.ts";
export { CredentialFile } from "./oauth/credential-file.ts";
export { login, type LoginOptions } from "./oauth/login.ts";
export type { McpReader } from "./reading/mcp-reader.ts";
