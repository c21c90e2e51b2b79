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
  const { command, args, cwd, hosts, writes, url, headers, transport } = server;
  if (command !== null && url === null) return { type: "program", command, args, env: server.env, cwd, hosts, writes };
  if (url === null || command !== null) throw invalid(name, settings, "set either command or url");
  const authorization = authorizationOf(name, server, settings);
  const all = authorization === null ? headers : { ...headers, authorization };
  return { type: "http", url, headers: all, wire: transport };
}

/** What the configuration says of who asks; `null`: nothing, and a login counts where there is one. */
function authorizationOf(name: string, server: McpServerConfig, settings: Configured): string | null {
  const { bearer_token_env: tokenName, basic_user: user, basic_password_env: passwordName } = server;
  if (tokenName !== null && (user !== null || passwordName !== null))
    throw invalid(name, settings, "set either bearer_token_env or basic_user, not both");
  if (tokenName !== null) return `Bearer ${valueOf("bearer_token_env", tokenName, name, settings)}`;
  if (user === null && passwordName === null) return null;
  if (user === null || passwordName === null)
    throw invalid(name, settings, "set both basic_user and basic_password_env");
  if (user.includes(":")) throw invalid(name, settings, 'basic_user: a name without ":"');
  const password = valueOf("basic_password_env", passwordName, name, settings);
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function valueOf(key: string, variable: string, name: string, settings: Configured): string {
  const value = settings.env[variable] ?? "";
  if (value === "") throw invalid(name, settings, `${key}: the variable ${variable} is not set`);
  return value;
}

function invalid(name: string, { loaded: { origins } }: Configured, problem: string): AppError {
  const given = [...origins].find(([key, { layer }]) => key.startsWith(`mcp_servers.${name}.`) && layer !== "default");
  const [, origin] = given ?? [];
  const place = describeOrigin(origin ?? { layer: "default" });
  return new AppError("config.invalid", `${place}: [mcp_servers.${name}]: ${problem}`, { hint: "See docs/mcp.md." });
}
