import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInProviders } from "@capstan/catalog";
import type { McpPlace, McpServer } from "@capstan/mcp";
import type { Sandbox, ToolSource } from "@capstan/ports";
import { AppError, type Isolation, type NoticeRecord } from "@capstan/protocol";
import {
  type DataDirectory,
  describeOrigin,
  isServerName,
  type McpServerConfig,
  readMcpJson,
  serverNameRule,
} from "@capstan/settings";
import { withTrustedPath } from "@capstan/tools";
import type { Settings } from "./load-settings.ts";
import { secretValues } from "./session/clean-environment.ts";

const msPerSecond = 1000;

interface Surroundings {
  readonly sandbox: Sandbox;
  readonly isolation: Isolation;
  readonly version: string;
  /** Only this one of them, whether or not it is enabled. */
  readonly only?: string;
}

/** What says which servers there are. */
export type Configured = Pick<Settings, "env" | "loaded" | "trust">;

/** A server that was named, and by whom: the user's configuration, or a file of the workspace. */
export interface NamedServer {
  readonly name: string;
  readonly config: McpServerConfig;
  /** `null`: the user's own. */
  readonly file: string | null;
}

interface Opened {
  /** `null`: no server is configured, and nothing was loaded. */
  readonly source: ToolSource | null;
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

/**
 * The servers of the user's configuration, then those that a trusted workspace brings along, under other names.
 * @throws AppError `config.invalid` for one of the user's that cannot be meant so
 */
export async function openMcp(
  settings: Settings,
  data: DataDirectory,
  { sandbox, isolation, version, only }: Surroundings,
): Promise<Opened> {
  const { env, loaded, workspace } = settings;
  const { servers: named, notices } = await namedServers(settings);
  const enabled = named.filter(({ name, config }) => (only === undefined ? config.enabled : name === only));
  if (enabled.length === 0) return { source: null, notices };
  const all = enabled.map((server) => toServer(server, settings));
  const isConfined = isolation.type === "enforced";
  const servers = all.filter(({ place }) => isConfined || place.type === "http");
  const unconfined = all.filter((server) => !servers.includes(server)).map(({ name }) => notStarted(name));
  const known = [...notices, ...unconfined];
  if (servers.length === 0) return { source: null, notices: known };
  const { openMcpSource } = await import("@capstan/mcp");
  const opened = await openMcpSource(servers, {
    sandbox,
    workspace,
    version,
    searchPath: withTrustedPath({ PATH: env["PATH"] ?? "" }, workspace.roots)["PATH"] ?? "",
    pinsFolder: join(data.root, "mcp"),
    outputBytes: loaded.values.tools.output.max_bytes,
    definitionBytes: loaded.values.tools.max_definition_bytes,
  });
  return { source: opened.source, notices: [...known, ...opened.notices] };
}

/** Every server that is named; of two of one name the user's counts. */
export async function namedServers(
  settings: Configured,
): Promise<{ readonly servers: readonly NamedServer[]; readonly notices: readonly Omit<NoticeRecord, "type">[] }> {
  const own = Object.entries(settings.loaded.values.mcp_servers);
  const servers = new Map(own.map(([name, config]): [string, NamedServer] => [name, { name, config, file: null }]));
  const notices: Omit<NoticeRecord, "type">[] = [];
  for (const [file, sha256] of settings.trust.approved) {
    if (!/\/(?:\.mcp|\.capstan\/mcp)\.json$/.test(file)) continue;
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) continue;
    const read = readMcpJson(bytes.toString("utf8"), environmentFor(settings));
    for (const [name, config] of Object.entries(read.servers)) {
      if (!isServerName(name)) notices.push(leftOut(file, `${JSON.stringify(name)}: ${serverNameRule}`));
      else if (!servers.has(name)) servers.set(name, { name, config, file });
    }
    notices.push(...read.problems.map((problem) => leftOut(file, problem)));
  }
  return { servers: [...servers.values()], notices };
}

/** What a workspace's servers may name: never a model's key, and nothing secret where nobody has looked at the file. */
function environmentFor({ env, trust }: Configured): Settings["env"] {
  const keys = Object.values(builtInProviders).flatMap(({ keyVariables }) => keyVariables);
  const hidden = new Set(trust.by === "flag" ? secretValues(env) : keys.map((name) => env[name]));
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value === "" || !hidden.has(value)));
}

function leftOut(file: string, problem: string): Omit<NoticeRecord, "type"> {
  return { level: "warning", code: "mcp.left-out", text: `a server of ${file} is left out: ${problem}` };
}

function notStarted(name: string): Omit<NoticeRecord, "type"> {
  const text = `the MCP server ${name} is not started: programs of servers run in the sandbox only, and there is none`;
  return { level: "warning", code: "mcp.unavailable", text: `${text}. See \`capstan doctor\`` };
}

function toServer({ name, config: server, file }: NamedServer, settings: Configured): McpServer {
  if (!isServerName(name)) throw invalid(name, settings, serverNameRule);
  const owner = file === null ? {} : { owner: createHash("sha256").update(file).digest("hex").slice(0, 16) };
  return {
    name,
    ...owner,
    place: toPlace(name, server, settings),
    enabledTools: server.enabled_tools,
    disabledTools: server.disabled_tools,
    deferTools: server.defer_tools,
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
