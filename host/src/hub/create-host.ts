import { join } from "node:path";
import { chosenName, type ExternalProviders, requireKey, resolveProvider } from "@capstan/catalog";
import { guardedEngine, MiddlewareChain } from "@capstan/hub";
import type { Middleware } from "@capstan/ports";
import type { FileProblem, EngineClient, SessionId, ToolDefinition, Workspace } from "@capstan/protocol";
import type { DecisionPorts } from "@capstan/runtime";
import { prepareDataDirectory } from "@capstan/settings";
import { keepHouse } from "../aging/keep-house.ts";
import { openHub } from "./open-hub.ts";
import { worktreeFolder } from "./open-offered.ts";
import { unixSockets } from "./unix-sockets.ts";
import type { OpenedPlugins } from "@capstan/plugins";
import type { Settings } from "../load-settings.ts";
import { openFacts } from "../open-facts.ts";
import { openStore, redactorOf } from "../open-parts.ts";
import { goneFolder, livingFolder } from "../session/living-folder.ts";
import type { AgentEngine } from "../session/agent-sessions.ts";
import { LocalEngine, type LocalEngineOptions } from "../session/local-engine.ts";
import { openServices, type RunOptions, type WorkspaceServices } from "./workspace-services.ts";
import { systemChance, systemClock } from "../system/system-ports.ts";

export interface HostOptions extends RunOptions {
  /** The settings of another workspace, for a session that was begun there; those of this one when left out. */
  loadSettings?(cwd: string): Promise<Settings>;
  /** A session begins here: without a model, or without its key, nothing is created. */
  readonly beginsSession?: boolean;
  /** Other processes of this user may join the sessions that are open here; they may not when left out. */
  readonly isShared?: boolean;
  /** What a program has at the door, in this order. The sessions of agents come in through their callers' turns, and not through it. */
  readonly middleware?: readonly Middleware[];
  readonly observe?: LocalEngineOptions["observe"];
  /** Receives mistakes that did not stop the session. */
  report(error: unknown): void;
}

/** A running Capstan. */
export interface Host {
  readonly client: EngineClient;
  /** What models are offered in the workspace that the host was started for. */
  tools(): Promise<readonly ToolDefinition[]>;
  /** What became of the plugins that its folders have; `null`: there are none. */
  plugins(): Promise<OpenedPlugins | null>;
  /** Sessions that are opened from here on find their settings as they are then. */
  renew(): void;
  close(): Promise<void>;
}

/**
 * Puts the parts together: the only place that knows who plays which. One host serves every workspace and session of its user.
 * @throws AppError `config.*`, `storage.*`; `model.*`, `provider.auth` where a session begins
 */
export async function createHost(settings: Settings, options: HostOptions): Promise<Host> {
  if (options.beginsSession === true) requireModel(settings, options.providers ?? {});
  const data = await prepareDataDirectory(settings.home);
  const store = await openStore(data, (error) => options.report(error));
  const ports: DecisionPorts = {
    store,
    clock: systemClock,
    chance: systemChance,
    redact: redactorOf(settings),
    report: (error) => options.report(error),
  };
  const facts = openFacts(data, { redact: ports.redact, sessions: store });
  const services = new ServicesByFolder((cwd) => openFor(cwd));
  const settingsIn = async (cwd: string): Promise<Settings> => (await options.loadSettings?.(cwd)) ?? settings;
  const currentSettings = async (): Promise<Settings> =>
    services.isRenewed ? await settingsIn(settings.workspace.cwd) : settings;
  const settingsOf = async (cwd: string): Promise<Settings> => {
    const folder = worktreeFolder(data);
    if (!cwd.startsWith(`${folder}/`)) return await settingsIn(cwd);
    const { settingsOfWorktree } = await import("./worktree-settings.ts");
    const ofCaller = (own: string): Promise<Settings> =>
      own === settings.workspace.cwd ? currentSettings() : settingsIn(own);
    return (await settingsOfWorktree(cwd, folder, ofCaller)) ?? (await settingsIn(cwd));
  };
  const openFor = async (cwd: string | null): Promise<WorkspaceServices> =>
    openServices(
      cwd === null ? await currentSettings() : await settingsOf(cwd),
      { store, data, facts, agentEngine },
      options,
    );
  const agentEngine = (): AgentEngine => ({
    client,
    stateOf: (id) => engine.stateOf(id),
    follow: (id, listener) => engine.follow(id, listener),
  });
  const housekeeping = keepHouse(data, settings, ports);
  const parts = async (workspace: Workspace | null, id?: SessionId): Promise<WorkspaceServices> => {
    if (workspace === null || workspace.cwd === settings.workspace.cwd) return services.get(null);
    if ((await livingFolder(workspace)) === null) throw goneFolder(workspace, id);
    return services.get(workspace.cwd);
  };
  const engine: LocalEngine = new LocalEngine({ ports, parts, version: options.version, observe: options.observe });
  const guard = guardOf(options.middleware, ports);
  const client: EngineClient = openHub({
    engine,
    ports,
    facts,
    settings,
    version: options.version,
    workspaces: () => services.workspaces(settings.workspace),
    onTrusted: () => services.renew(),
    currentSettings,
    problems: (id) => services.problems(id),
    findFiles: async (workspace, text, limit) => (await parts(workspace)).findFiles(workspace, text, limit),
    guard,
    sockets: options.isShared === true ? unixSockets(join(data.root, "run"), options.version) : null,
  });
  return {
    client: guard(client),
    tools: async () => (await services.get(null)).action.tools.definitions(),
    plugins: async () => (await services.get(null)).plugins,
    renew: () => services.renew(),
    async close() {
      await client.close();
      await services.close();
      await facts.close();
      await housekeeping.end();
    },
  };
}

function guardOf(middleware: readonly Middleware[] = [], ports: DecisionPorts): (engine: EngineClient) => EngineClient {
  const chain = new MiddlewareChain(middleware, ports);
  return (engine) => (middleware.length === 0 ? engine : guardedEngine(engine, chain));
}

/** @throws AppError `model.none`, `model.unknown`, `provider.auth` */
function requireModel({ loaded, env }: Settings, external: ExternalProviders): void {
  const { provider } = chosenName(loaded.values, env, { external });
  if (!Object.hasOwn(external, provider)) requireKey(resolveProvider(provider, loaded.values, env));
}

/** What the sessions of a folder run on is opened with the first of them. */
class ServicesByFolder {
  readonly #openFor: (cwd: string | null) => Promise<WorkspaceServices>;
  readonly #opened = new Map<string | null, Promise<WorkspaceServices>>();
  readonly #folders = new Set<string>();
  readonly #replaced: Promise<WorkspaceServices>[] = [];
  /** What the host was started with is not how its settings are now. */
  isRenewed = false;

  constructor(openFor: (cwd: string | null) => Promise<WorkspaceServices>) {
    this.#openFor = openFor;
  }

  get(cwd: string | null): Promise<WorkspaceServices> {
    const opened = this.#opened.get(cwd) ?? this.#openFor(cwd);
    if (cwd !== null) this.#folders.add(cwd);
    this.#opened.set(cwd, opened);
    // What was wrong may be fixed by the next time.
    opened.catch(() => this.#opened.delete(cwd));
    return opened;
  }

  /** Sessions that are opened from here on find their settings as they are then; those that are open keep what they have. */
  renew(): void {
    this.isRenewed = true;
    this.#replaced.push(...this.#opened.values());
    this.#opened.clear();
  }

  /** Those that were opened, and the one that the host was started for. */
  workspaces(started: Workspace): readonly Workspace[] {
    return [started, ...[...this.#folders].map((cwd) => ({ cwd, roots: [cwd] }))];
  }

  /** @see EngineClient.problems */
  async problems(id: SessionId): Promise<readonly FileProblem[] | null> {
    for (const opened of await Promise.all([...this.#opened.values(), ...this.#replaced])) {
      const problems = await opened.problems(id);
      if (problems !== null) return problems;
    }
    return null;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled([...this.#opened.values(), ...this.#replaced]);
    for (const services of opened) if (services.status === "fulfilled") await services.value.close();
  }
}
