import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { builtInProviders } from "@capstan/catalog";
import type { NoticeRecord } from "@capstan/protocol";
import {
  isServerName,
  type McpServerConfig,
  readMcpJson,
  secretValues,
  serverNameRule,
  type Settings,
} from "@capstan/settings";
import type { WorkspaceTrust } from "@capstan/trust";

/** What says which servers there are. */
export interface Configured extends Pick<Settings, "env" | "loaded"> {
  readonly trust: WorkspaceTrust;
}

/** A server that was named, and by whom: the user's configuration, or a file of the workspace. */
export interface NamedServer {
  readonly name: string;
  readonly config: McpServerConfig;
  /** `null`: the user's own. */
  readonly file: string | null;
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
