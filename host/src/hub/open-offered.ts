import { findAgents, openAgents, type OpenedAgents, type WorktreePlaces } from "@capstan/agents";
import type { SessionFacts } from "@capstan/facts";
import { findPersonas, stackPersonas } from "@capstan/personas";
import type { ModelProvider, ProgramHook, ProgramTool, Sandbox, ToolSource } from "@capstan/ports";
import type { FileProblem, Isolation, ModelSettings, NoticeRecord, PersonaProfile, SessionId } from "@capstan/protocol";
import { cleanEnvironment, type DataDirectory } from "@capstan/settings";
import { type OpenedSkills, openSkills } from "@capstan/skills";
import { BackgroundCommands, type ComposedCatalog } from "@capstan/tools";
import type { OpenedPlugins } from "@capstan/plugins";
import type { Settings } from "../load-settings.ts";
import { modelSampler, openServers, type withServers } from "@capstan/mcp-servers";
import { joinHooks, openHooks, type RunHooks } from "@capstan/hooks";
import { openLanguageServers } from "@capstan/language-servers";
import { pluginsOf } from "../open-plugins.ts";
import { openTools, redactorOf } from "../open-parts.ts";
import { homeOf, isolationFor, openSandbox } from "../open-sandbox.ts";
import { agentSessions, type AgentSurroundings } from "../session/agent-sessions.ts";

/** Parts that a program may do without. */
type OfferedPart = "agents" | "mcp-servers" | "plugins" | "skills";

/** What comes from whoever opens it. */
export interface OfferedOptions {
  /** Capstan's own. */
  readonly version: string;
  /** Tools beside the built-in ones: the program's own, or a source of them. */
  readonly tools?: readonly ProgramTool[] | ToolSource;
  /** The program's own hooks. */
  readonly hooks?: readonly ProgramHook[];
  /** What is not opened, whatever the configuration says. */
  readonly without?: readonly OfferedPart[];
}

/** What models are offered in a workspace, and where it runs. */
export interface Offered {
  readonly tools: ComposedCatalog;
  readonly sandbox: Sandbox;
  readonly background: BackgroundCommands;
  readonly isolation: Isolation;
  readonly facts: SessionFacts | null;
  readonly plugins: OpenedPlugins | null;
  readonly skills: OpenedSkills | null;
  /** What servers have to read; `null`: there are none. */
  readonly reader: Parameters<typeof withServers>[1];
  /** Those that are asked about what happens, language servers among them. */
  readonly hooks: RunHooks | null;
  readonly agents: OpenedAgents | null;
  /** The personas of these names, and those that come with them. @throws AppError */
  readonly personas: (names: readonly string[]) => readonly PersonaProfile[];
  readonly notices: readonly Omit<NoticeRecord, "type">[];
  /** What language servers say of the files that a session changed; `null`: none was asked. */
  problems(id: SessionId): Promise<readonly FileProblem[] | null>;
  /** Ends what was started for the workspace. */
  close(): Promise<void>;
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
  { tools: added = [], hooks: ofProgram = [], without = [], version }: OfferedOptions,
): Promise<Offered> {
  const { env, trust } = settings;
  const sandbox = openSandbox(settings, data);
  const { agents: agentSettings } = settings.loaded.values;
  const hasAgents = agentSettings.enabled && !without.includes("agents");
  const places = { home: data.root, env, trust };
  const [isolation, skills, found, chosen] = await Promise.all([
    isolationFor(settings, sandbox),
    without.includes("skills") ? null : openSkills(places),
    hasAgents ? findAgents(places) : { agents: [], notices: [] },
    findPersonas(places),
  ]);
  const redact = redactorOf(settings);
  const modelOf = (id: SessionId): ModelSettings | undefined => callers.engine().stateOf(id)?.config?.model;
  const sampler = modelSampler({ modelOf, provider, redact });
  const [mcp, plugins, hooks] = await Promise.all([
    without.includes("mcp-servers") ? noServers : openServers(settings, data, { sandbox, isolation, version, sampler }),
    without.includes("plugins") ? null : pluginsOf(settings, { sandbox, isolation, version }),
    openHooks(settings, {
      sandbox,
      isolation,
      environment: commandEnvironmentOf(settings),
      roots: settings.workspace.roots,
      ofProgram,
    }),
  ]);
  const languages = openLanguageServers(settings, { sandbox, isolation });
  const background = new BackgroundCommands({ spillDirectory: data.spill, statusDirectory: data.runs });
  const toolNamed = (name: string): string | undefined => tools.find(name)?.definition.name;
  const sessions = agentSessions({ ...callers, workspace: settings.workspace, toolNamed });
  const agents = hasAgents
    ? openAgents({
        agents: found.agents,
        maxDepth: agentSettings.max_depth,
        sessions,
        skills,
        worktrees: worktreesOf(settings, data),
      })
    : null;
  const code = { servers: mcp.source, plugins: plugins?.source ?? null };
  const around = { redact, sandbox, background, added, ...code, facts, skills, agents };
  const tools: ComposedCatalog = openTools(settings, data, around);
  return {
    tools,
    sandbox,
    background,
    isolation,
    facts,
    plugins,
    skills,
    reader: mcp.reader,
    hooks: joinHooks([hooks, languages]),
    agents,
    personas: (names) => stackPersonas(names, chosen.personas, toolNamed),
    notices: [hooks, languages, mcp, plugins, skills, found, chosen].flatMap((each) => each?.notices ?? []),
    problems: async (id) => (await languages?.problems(id)) ?? null,
    close: async () => {
      await background.close();
      await languages?.end();
      await tools.close();
    },
  };
}

const noServers = { source: null, reader: null, notices: [] };

/** What the user's commands see of theirs. */
function commandEnvironmentOf({ env, loaded }: Settings): Readonly<Record<string, string>> {
  const { allowlist, denylist } = loaded.values.tools.environment;
  return cleanEnvironment(env, allowlist, denylist);
}

/** What shares the sandbox ends before it does. */
export async function endSession(id: SessionId, { agents, background, sandbox }: Offered): Promise<void> {
  await agents?.leave(id);
  await background.endSession(id);
  await sandbox.endSession(id);
}

function worktreesOf({ env, trust }: Settings, data: DataDirectory): WorktreePlaces {
  return {
    folder: worktreeFolder(data),
    searchPath: env["PATH"] ?? "",
    environment: { HOME: homeOf(env) },
    isTrusted: trust.trusted,
  };
}

/** Where agents' working trees lie: beside Capstan's own files, which no command may change. */
export function worktreeFolder({ root }: Pick<DataDirectory, "root">): string {
  return `${root}-worktrees`;
}
