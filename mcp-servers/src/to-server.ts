import { createHash } from "node:crypto";
import type { McpPlace, McpServer } from "@capstan/mcp";
import { AppError } from "@capstan/protocol";
import { describeOrigin, isServerName, type McpServerConfig, serverNameRule } from "@capstan/settings";
import type { Configured, NamedServer } from "./named-servers.ts";

const msPerSecond = 1000;

/** @throws AppError `config.invalid` for one of the user's that cannot be meant so */
export function toServer({ name, config: server, file }: NamedServer, settings: Configured): McpServer {
  if (!isServerName(name)) throw invalid(name, settings, serverNameRule);
  const owner = file === null ? {} : { owner: createHash("sha256").update(file).digest("hex").slice(0, 16) };
  return {
    name,
    ...owner,
    place: toPlace(name, server, settings),
    enabledTools: server.enabled_tools,
    disabledTools: server.disabled_tools,
    deferTools: server.defer_tools,
    // What a workspace brings along asks no model at its user's cost.
    sampling: file === null && server.sampling,
    startupTimeoutMs: server.startup_timeout * msPerSecond,
    toolTimeoutMs: server.tool_timeout * msPerSecond,
  };
}

function toPlace(name: string, server: McpServerConfig, settings: Configured): McpPlace {
  const { command, args, cwd, hosts, writes, url, headers, bearer_token_env: tokenName } = server;
  if (command !== null && url === null) return { type: "program", command, args, env: server.env, cwd, hosts, writes };
  if (url === null || command !== null) throw invalid(name, settings, "set either command or url");
  if (tokenName === null) return { type: "http", url, headers };
  const token = settings.env[tokenName] ?? "";
  if (token === "") throw invalid(name, settings, `bearer_token_env: the variable ${tokenName} is not set`);
  return { type: "http", url, headers: { ...headers, authorization: `Bearer ${token}` } };
}

function invalid(name: string, { loaded: { origins } }: Configured, problem: string): AppError {
  const given = [...origins].find(([key, { layer }]) => key.startsWith(`mcp_servers.${name}.`) && layer !== "default");
  const [, origin] = given ?? [];
  const place = describeOrigin(origin ?? { layer: "default" });
  return new AppError("config.invalid", `${place}: [mcp_servers.${name}]: ${problem}`, { hint: "See docs/mcp.md." });
}
