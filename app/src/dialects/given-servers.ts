import { readFile } from "node:fs/promises";
import type { ClaudeCommand } from "@capstan/dialects";
import { AppError, isJsonObject, type JsonObject, type JsonValue, messageOf } from "@capstan/protocol";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { warn } from "./open-dialect.ts";

type Further = NonNullable<SettingsFlags["further"]>;
const flag = "--mcp-config";

/**
 * The servers that a program names for Capstan to run, as settings of the command line: what the user's configuration says of others stays.
 * @throws {AppError} `usage.invalid` naming the configuration that cannot be read
 */
export async function serverSettings(command: ClaudeCommand, further: JsonObject): Promise<Further> {
  if (command.onlyGivenServers) warn("--strict-mcp-config: servers of your own configuration stay; disable them there");
  const given = await Promise.all(command.mcpConfigs.map(serversOf));
  return [further, ...given].flatMap((servers) =>
    Object.entries(servers).flatMap(([name, server]) => settingsOf(name, server)),
  );
}

/** JSON itself, or the file that holds it. */
async function serversOf(config: string): Promise<JsonObject> {
  const isText = config.trimStart().startsWith("{");
  const name = isText ? "what was given" : config;
  try {
    const value: unknown = JSON.parse(isText ? config : await readFile(config, "utf8"));
    const servers = isJsonObject(value) ? value["mcpServers"] : undefined;
    if (isJsonObject(servers)) return servers;
  } catch (error) {
    throw new AppError("usage.invalid", `${flag}: ${name} cannot be read: ${messageOf(error)}`);
  }
  throw new AppError("usage.invalid", `${flag}: ${name} has no object "mcpServers"`);
}

function settingsOf(name: string, server: JsonValue | undefined): Further {
  if (!isJsonObject(server)) throw new AppError("usage.invalid", `${flag}: the server ${name} is no object`);
  const { type = "stdio", command, args, env, url, headers } = server;
  // Those that live in the program come by control requests.
  if (type === "sdk") return [];
  const fields = type === "stdio" ? { command, args, env } : { url, headers };
  return Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [{ flag, key: `mcp_servers.${name}.${field}`, value }],
  );
}
