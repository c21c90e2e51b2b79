import { isJsonObject, messageOf } from "@capstan/protocol";
import { maxServersOfFile } from "../config/config-limits.ts";
import { type Environment, expandVariables } from "../config/files/expand-variables.ts";
import { mcpKeys } from "../config/keys/mcp-keys.ts";
import type { McpServerConfig } from "../config/keys/mcp-server-config.ts";

/** What a `.mcp.json` names. */
export interface McpJson {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** One sentence for each server that is left out. */
  readonly problems: readonly string[];
}

/**
 * Reads the servers of a `.mcp.json`, as other agents write it: `mcpServers` with `command`, `args` and `env`, or `url` and `headers`.
 * `${NAME}` and `${NAME:-default}` in their values are variables of the user's environment.
 */
export function readMcpJson(text: string, env: Environment): McpJson {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { servers: {}, problems: [`not valid JSON: ${messageOf(error)}`] };
  }
  const named = isJsonObject(value) ? value["mcpServers"] : undefined;
  if (!isJsonObject(named)) return { servers: {}, problems: ["expected an object with a table `mcpServers`"] };
  const servers: Record<string, McpServerConfig> = Object.create(null);
  const problems: string[] = [];
  const entries = Object.entries(named);
  if (entries.length > maxServersOfFile) problems.push(`only the first ${maxServersOfFile} servers count`);
  for (const [name, entry] of entries.slice(0, maxServersOfFile)) {
    try {
      servers[name] = toServer(entry, env);
    } catch (error) {
      problems.push(`${JSON.stringify(name)}: ${messageOf(error)}`);
    }
  }
  return { servers, problems };
}

function toServer(entry: unknown, env: Environment): McpServerConfig {
  if (!isJsonObject(entry)) throw new Error("expected a table");
  const { type, command, url } = entry;
  if (type !== undefined && type !== "stdio" && type !== "http" && type !== "streamable-http" && type !== "sse")
    throw new Error(`unknown type ${JSON.stringify(type)}; expected "stdio", "http" or "sse"`);
  if ((command === undefined) === (url === undefined)) throw new Error("expected either `command` or `url`");
  return {
    ...usual,
    command: command === undefined ? null : textOf("command", command, env),
    args: listOf("args", entry["args"], env),
    env: tableOf("env", entry["env"], env),
    url: url === undefined ? null : textOf("url", url, env),
    headers: tableOf("headers", entry["headers"], env),
    ...(type === "sse" ? { transport: "sse" as const } : {}),
  };
}

/** A server of which nothing else is said. */
const usual: McpServerConfig = {
  enabled: true,
  command: null,
  args: [],
  env: {},
  cwd: null,
  hosts: [],
  writes: false,
  url: null,
  headers: {},
  bearer_token_env: null,
  basic_user: null,
  basic_password_env: null,
  transport: "http",
  enabled_tools: null,
  disabled_tools: [],
  defer_tools: null,
  sampling: false,
  startup_timeout: Number(mcpKeys["mcp_servers.*.startup_timeout"].default),
  tool_timeout: Number(mcpKeys["mcp_servers.*.tool_timeout"].default),
};

function textOf(field: string, value: unknown, env: Environment): string {
  if (typeof value !== "string" || value === "") throw new Error(`${field}: expected a text`);
  const expanded = expandVariables(value, env);
  if (expanded.type === "text") return expanded.text;
  if (expanded.type === "missing")
    throw new Error(`${field}: the variable ${expanded.variable} is not set, or is kept from a folder's servers`);
  throw new Error(`${field}: ${expanded.reason}`);
}

function listOf(field: string, value: unknown, env: Environment): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${field}: expected a list of texts`);
  return value.map((item) => (item === "" ? "" : textOf(field, item, env)));
}

function tableOf(field: string, value: unknown, env: Environment): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new Error(`${field}: expected a table of texts`);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, item === "" ? "" : textOf(`${field}.${name}`, item, env)]),
  );
}
