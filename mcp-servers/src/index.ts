export { type NamedServer, namedServers } from "./named-servers.ts";
export { openServers } from "./open-servers.ts";
