import type { McpReader, Sampler } from "@capstan/mcp";
import type { Sandbox, ToolSource } from "@capstan/ports";
import type { Isolation, NoticeRecord } from "@capstan/protocol";
import type { DataDirectory, Settings } from "@capstan/settings";
import { withTrustedPath } from "@capstan/tools";
import { type Configured, namedServers } from "./named-servers.ts";
import { loginsFolder, pinsFolder } from "./kept-folders.ts";
import { toServer } from "./to-server.ts";

interface Surroundings {
  readonly sandbox: Sandbox;
  readonly isolation: Isolation;
  readonly version: string;
  /** Only this one of them, whether or not it is enabled. */
  readonly only?: string;
  /** Asks the model for servers that the user has named for it; absent: nobody does. */
  readonly sampler?: Sampler;
}

interface Opened {
  /** `null`: no server is configured, and nothing was loaded. */
  readonly source: ToolSource | null;
  /** What they have to read; `null`: there are none. */
  readonly reader: McpReader | null;
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

/**
 * The servers of the user's configuration, then those that a trusted workspace brings along, under other names.
 * @throws AppError `config.invalid` for one of the user's that cannot be meant so
 */
export async function openServers(
  settings: Configured & Pick<Settings, "workspace">,
  data: DataDirectory,
  { sandbox, isolation, version, only, sampler }: Surroundings,
): Promise<Opened> {
  const { env, loaded, workspace } = settings;
  const { servers: named, notices } = await namedServers(settings);
  const enabled = named.filter(({ name, config }) => (only === undefined ? config.enabled : name === only));
  if (enabled.length === 0) return { source: null, reader: null, notices };
  const all = enabled.map((server) => toServer(server, settings));
  const isConfined = isolation.type === "enforced";
  const servers = all.filter(({ place }) => isConfined || place.type === "http");
  const unconfined = all.filter((server) => !servers.includes(server)).map(({ name }) => notStarted(name));
  const known = [...notices, ...unconfined];
  if (servers.length === 0) return { source: null, reader: null, notices: known };
  const { openMcpSource } = await import("@capstan/mcp");
  const opened = await openMcpSource(servers, {
    sandbox,
    workspace,
    version,
    searchPath: withTrustedPath({ PATH: env["PATH"] ?? "" }, workspace.roots)["PATH"] ?? "",
    pinsFolder: pinsFolder(data),
    loginsFolder: loginsFolder(data),
    outputBytes: loaded.values.tools.output.max_bytes,
    definitionBytes: loaded.values.tools.max_definition_bytes,
    // Whoever tries one wants to see it work.
    startLater: only === undefined,
    ...(sampler === undefined ? {} : { sampler }),
  });
  return { source: opened.source, reader: opened.reader, notices: [...known, ...opened.notices] };
}

function notStarted(name: string): Omit<NoticeRecord, "type"> {
  const text = `the MCP server ${name} is not started: programs of servers run in the sandbox only, and there is none`;
  return { level: "warning", code: "mcp.unavailable", text: `${text}. See \`capstan doctor\`` };
}
