import { readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Agent } from "@capstan/protocol";
import type { WorkspaceTrust } from "@capstan/trust";
import { maxFilesOfPlace } from "./limits.ts";

export interface AgentPlaces {
  /** Capstan's data directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trust: Pick<WorkspaceTrust, "trusted" | "approved">;
}

/** A file that may describe an agent, and whose it is. */
export interface AgentFile {
  readonly file: string;
  readonly from: Exclude<Agent["from"], "built-in">;
}

/** Every file that may describe an agent, those that count most first; only names are looked at. */
export async function agentFiles({ home, env, trust }: AgentPlaces): Promise<readonly AgentFile[]> {
  const own = await Promise.all(userFolders(home, env).map(async (folder) => await agentsIn(folder)));
  const brought = trust.trusted ? [...trust.approved.keys()].filter((path) => workspaceAgent.test(path)) : [];
  return [
    ...own.flat().map((file) => ({ file, from: "user" as const })),
    ...brought.map((file) => ({ file, from: "workspace" as const })),
  ];
}

/** What lies in a folder that trust lists as one of agents. */
const workspaceAgent = /\/\.(?:capstan|claude)\/agents\/(?:[^/]+\/)*[^/]+\.md$/;

/** Where the user keeps agents, those that count most first. */
function userFolders(home: string, env: AgentPlaces["env"]): readonly string[] {
  const { HOME: user = "" } = env;
  return [join(home, "agents"), ...(isAbsolute(user) ? [join(user, ".claude", "agents")] : [])];
}

async function agentsIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .slice(0, maxFilesOfPlace)
    .map((name) => join(folder, name));
}
