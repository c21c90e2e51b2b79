import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, number, string, stringList, url } from "./config-key.ts";

const hour = 3600;

/** Keys about servers of the Model Context Protocol. Only the user's own: a program that is started is code. */
export const mcpKeys: Readonly<Record<Extract<ConfigPath, `mcp_servers.${string}`>, ConfigKey>> = {
  "mcp_servers.*.enabled": { type: boolean, default: true, about: "Whether the server is used." },
  "mcp_servers.*.command": {
    type: string,
    default: null,
    about: "The program that is the server, by a name on the `PATH` or an absolute path; it runs in the sandbox.",
    example: "mcp-server-memory",
  },
  "mcp_servers.*.args": { type: stringList, default: [], about: "Its arguments.", example: ["--verbose"] },
  "mcp_servers.*.env.*": {
    type: string,
    default: null,
    about: "A variable of its environment; of the user's own it sees the `PATH` alone.",
    example: "en",
    secret: "whole",
  },
  "mcp_servers.*.cwd": {
    type: string,
    default: null,
    about: "Where it starts, in the workspace; without it in the working directory.",
    example: "packages/app",
  },
  "mcp_servers.*.hosts": {
    type: stringList,
    default: [],
    about: "Hosts that the program may reach, `name` or `name:port`; without them it has no network.",
    example: ["api.example.com:443"],
  },
  "mcp_servers.*.writes": {
    type: boolean,
    default: false,
    about: "Whether the program may change files of the workspace.",
  },
  "mcp_servers.*.url": {
    type: url,
    default: null,
    about: "The address of a server over HTTP, in place of `command`.",
    example: "https://mcp.example.com/mcp",
    secret: "credentials",
  },
  "mcp_servers.*.headers.*": {
    type: string,
    default: null,
    about: "A header sent with every request to the address.",
    example: "capstan",
    secret: "whole",
  },
  "mcp_servers.*.bearer_token_env": {
    type: string,
    default: null,
    about: "The variable whose value is sent to the address as bearer token.",
    example: "EXAMPLE_TOKEN",
  },
  "mcp_servers.*.basic_user": {
    type: string,
    default: null,
    about: "The name that is sent to the address with a password, in place of a token.",
    example: "me",
  },
  "mcp_servers.*.basic_password_env": {
    type: string,
    default: null,
    about: "The variable whose value is the password that goes with `basic_user`.",
    example: "EXAMPLE_PASSWORD",
  },
  "mcp_servers.*.transport": {
    type: choice(["http", "sse"]),
    default: "http",
    about: "How the address is spoken to: streamable HTTP, or the older HTTP with server-sent events.",
  },
  "mcp_servers.*.enabled_tools": {
    type: stringList,
    default: null,
    about: "Tools of the server that are used, by its own names, and no others; without it all.",
    example: ["search"],
  },
  "mcp_servers.*.disabled_tools": {
    type: stringList,
    default: [],
    about: "Tools of the server that are not used, by its own names.",
    example: ["delete"],
  },
  "mcp_servers.*.defer_tools": {
    type: boolean,
    default: null,
    about:
      "Whether the model finds its tools with `search_tools` before it can call them; without it where `tools.max_definition_bytes` has no room.",
    example: true,
  },
  "mcp_servers.*.sampling": {
    type: boolean,
    default: false,
    about:
      "Whether the server may ask for answers of the model; you are asked about each of them, and they count in the turn.",
  },
  "mcp_servers.*.startup_timeout": {
    type: number(0.1, hour),
    default: 10,
    about: "Seconds until the server must have answered with its tools.",
  },
  "mcp_servers.*.tool_timeout": {
    type: number(0.1, hour),
    default: 60,
    about: "Seconds until a call must have its result.",
  },
};
