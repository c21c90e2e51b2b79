export type { ChangedTools } from "@capstan/mcp";
export { approveTools, changedTools } from "./changed-tools.ts";
export { loginTo, logoutFrom } from "./login-server.ts";
export { modelSampler } from "./model-sampler.ts";
export { type NamedServer, namedServers } from "./named-servers.ts";
export { openServers } from "./open-servers.ts";
export { withServers } from "./with-servers.ts";
