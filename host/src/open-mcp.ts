import { join } from "node:path";
import type { McpPlace, McpServer } from "@capstan/mcp";
import type { Sandbox, ToolSource } from "@capstan/ports";
import { AppError, type Isolation, type NoticeRecord } from "@capstan/protocol";
import { type DataDirectory, describeOrigin, type McpServerConfig } from "@capstan/settings";
import { withTrustedPath } from "@capstan/tools";
import type { Settings } from "./load-settings.ts";

const msPerSecond = 1000;

interface Surroundings {
  readonly sandbox: Sandbox;
  readonly isolation: Isolation;
  readonly version: string;
}

type Configured = Pick<Settings, "env" | "loaded">;

interface Opened {
  /** `null`: no server is configured, and nothing was loaded. */
  readonly source: ToolSource | null;
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

/** The servers of the user's configuration. @throws AppError `config.invalid` for one that cannot be meant so */
export async function openMcp(
  { env, loaded, workspace }: Settings,
  data: DataDirectory,
  { sandbox, isolation, version }: Surroundings,
): Promise<Opened> {
  const enabled = Object.entries(loaded.values.mcp_servers).filter(([, server]) => server.enabled);
  if (enabled.length === 0) return { source: null, notices: [] };
  const all = enabled.map(([name, server]) => toServer(name, server, { env, loaded }));
  const isConfined = isolation.type === "enforced";
  const servers = all.filter(({ place }) => isConfined || place.type === "http");
  const unconfined = all.filter((server) => !servers.includes(server)).map(({ name }) => notStarted(name));
  if (servers.length === 0) return { source: null, notices: unconfined };
  const { openMcpSource } = await import("@capstan/mcp");
  const { source, notices } = await openMcpSource(servers, {
    sandbox,
    workspace,
    version,
    searchPath: withTrustedPath({ PATH: env["PATH"] ?? "" }, workspace.roots)["PATH"] ?? "",
    pinsFolder: join(data.root, "mcp"),
    outputBytes: loaded.values.tools.output.max_bytes,
  });
  return { source, notices: [...unconfined, ...notices] };
}

function notStarted(name: string): Omit<NoticeRecord, "type"> {
  const text = `the MCP server ${name} is not started: programs of servers run in the sandbox only, and there is none`;
  return { level: "warning", code: "mcp.unavailable", text: `${text}. See \`capstan doctor\`` };
}

function toServer(name: string, server: McpServerConfig, settings: Configured): McpServer {
  if (!/^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/.test(name) || name.length > 32)
    throw invalid(
      name,
      settings,
      'its name must be at most 32 letters and digits, with single "_" or "-" between them',
    );
  return {
    name,
    place: toPlace(name, server, settings),
    enabledTools: server.enabled_tools,
    disabledTools: server.disabled_tools,
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
