import { findAgents, openAgents } from "@capstan/agents";
import type { SessionFacts } from "@capstan/facts";
import type { ModelProvider, ProgramHook, ProgramTool, Sandbox, ToolSource } from "@capstan/ports";
import type { Isolation, ModelSettings, NoticeRecord, SessionId } from "@capstan/protocol";
import { cleanEnvironment, type DataDirectory } from "@capstan/settings";
import { type OpenedSkills, openSkills } from "@capstan/skills";
import { BackgroundCommands, type ComposedCatalog } from "@capstan/tools";
import type { Settings } from "../load-settings.ts";
import { modelSampler, openServers, type withServers } from "@capstan/mcp-servers";
import { openHooks, type OpenedHooks } from "@capstan/hooks";
import { pluginsOf } from "../open-plugins.ts";
import { openTools, redactorOf } from "../open-parts.ts";
import { isolationFor, openSandbox } from "../open-sandbox.ts";
import { agentSessions, type AgentSurroundings } from "../session/agent-sessions.ts";

/** What comes from whoever opens it. */
export interface OfferedOptions {
  /** Capstan's own. */
  readonly version: string;
  /** Tools beside the built-in ones: the program's own, or a source of them. */
  readonly tools?: readonly ProgramTool[] | ToolSource;
  /** The program's own hooks. */
  readonly hooks?: readonly ProgramHook[];
}

/** What models are offered in a workspace, and where it runs. */
export interface Offered {
  readonly tools: ComposedCatalog;
  readonly sandbox: Sandbox;
  readonly background: BackgroundCommands;
  readonly isolation: Isolation;
  readonly facts: SessionFacts | null;
  readonly skills: OpenedSkills | null;
  /** What servers have to read; `null`: there are none. */
  readonly reader: Parameters<typeof withServers>[1];
  readonly hooks: OpenedHooks | null;
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

/** What the workspaces of one host share, as far as models are offered it. */
interface OfferedParts {
  readonly data: DataDirectory;
  readonly facts: SessionFacts | null;
  readonly agents: Omit<AgentSurroundings, "workspace" | "toolNamed">;
  readonly provider: (model: ModelSettings) => Promise<ModelProvider>;
}

export async function openOffered(
  settings: Settings,
  { data, facts, agents: callers, provider }: OfferedParts,
  { tools: added = [], hooks: ofProgram = [], version }: OfferedOptions,
): Promise<Offered> {
  const { env, trust } = settings;
  const sandbox = openSandbox(settings, data);
  const { agents: agentSettings } = settings.loaded.values;
  const places = { home: data.root, env, trust };
  const [isolation, skills, found] = await Promise.all([
    isolationFor(settings, sandbox),
    openSkills(places),
    agentSettings.enabled ? findAgents(places) : { agents: [], notices: [] },
  ]);
  const redact = redactorOf(settings);
  const modelOf = (id: SessionId): ModelSettings | undefined => callers.engine().stateOf(id)?.config?.model;
  const { environment } = settings.loaded.values.tools;
  const [mcp, plugins, hooks] = await Promise.all([
    openServers(settings, data, { sandbox, isolation, version, sampler: modelSampler({ modelOf, provider, redact }) }),
    pluginsOf(settings, { sandbox, isolation }),
    openHooks(settings, {
      sandbox,
      isolation,
      environment: cleanEnvironment(env, environment.allowlist, environment.denylist),
      roots: settings.workspace.roots,
      ofProgram,
    }),
  ]);
  const background = new BackgroundCommands({ spillDirectory: data.spill, statusDirectory: data.runs });
  const toolNamed = (name: string): string | undefined => tools.find(name)?.definition.name;
  const sessions = agentSessions({ ...callers, workspace: settings.workspace, toolNamed });
  const agents = agentSettings.enabled
    ? openAgents({ agents: found.agents, maxDepth: agentSettings.max_depth, sessions })
    : null;
  const around = {
    redact,
    sandbox,
    background,
    added,
    servers: mcp.source,
    plugins: plugins?.source ?? null,
    facts,
    skills,
    agents,
  };
  const tools: ComposedCatalog = openTools(settings, data, around);
  return {
    tools,
    sandbox,
    background,
    isolation,
    facts,
    skills,
    reader: mcp.reader,
    hooks,
    notices: [hooks, mcp, plugins, skills, found].flatMap((each) => each?.notices ?? []),
  };
}

/** What shares the sandbox ends before it does. */
export async function endSession(id: SessionId, { background, sandbox }: Offered): Promise<void> {
  await background.endSession(id);
  await sandbox.endSession(id);
}
