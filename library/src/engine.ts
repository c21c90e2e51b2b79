import { createHost, currentUser, explainKey, type Host, loadSettings, type Settings } from "@capstan/host";
import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type JsonValue,
  type PermissionMode,
  type SessionTarget,
  type ToolDefinition,
  type UserContent,
} from "@capstan/protocol";
import { addTools } from "./add-tools.ts";
import { Approvals, reportOnStandardError } from "./approvals.ts";
import type { EngineOptions } from "./engine-options.ts";
import { hooksOf } from "./engine-hooks.ts";
import { EnginePlugins, type PluginStatus } from "./engine-plugins.ts";
import { EngineRun, type RunCallbacks, type RunOptions } from "./engine-run.ts";
import { EngineSession } from "./engine-session.ts";
import { version } from "./version.ts";

/** What an engine found when it was initialized. */
export interface EngineReport {
  readonly version: string;
  /** The data directory. */
  readonly home: string;
  /** The workspace of new sessions, as a real path. */
  readonly cwd: string;
  /** The configured model; `null`: one is chosen by the keys that are there. */
  readonly model: string | null;
  readonly mode: PermissionMode;
  /** What of the configuration and the workspace does not count, and why. */
  readonly warnings: readonly string[];
}

interface Opened {
  readonly host: Host;
  readonly report: EngineReport;
  readonly plugins: EnginePlugins;
}

/**
 * Capstan inside a program. An engine serves every session of its data directory; several can live in one process. It reads nothing and
 * opens nothing before `initialize` or the first `open`.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #report: (error: unknown) => void;
  readonly #sessions = new Set<EngineSession>();
  /** Settings that were changed since, by key. */
  readonly #changed = new Map<string, JsonValue>();
  #opened: Promise<Opened> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: EngineOptions = {}) {
    this.#options = options;
    this.#report = options.report ?? reportOnStandardError;
  }

  /**
   * Opens what the engine runs on. Later calls return the same report; after a failure it is tried again.
   * @throws AppError `config.*`, `storage.*`, `usage.workspace-missing`; `usage.invalid` after `shutdown`
   */
  async initialize(): Promise<EngineReport> {
    return (await this.#open()).report;
  }

  /** What concerns more than one session: the list, the inbox, approvals for good, models. @throws as `initialize` */
  async client(): Promise<EngineClient> {
    return (await this.#open()).host.client;
  }

  /**
   * Opens a session, a new one when left out.
   * @throws AppError `session.unknown`, `model.*`, `provider.auth`, and as `initialize`
   */
  async open(target: SessionTarget = { type: "new" }): Promise<EngineSession> {
    const { host } = await this.#open();
    const client = await host.client.open(target, { identity: this.#identity(), purpose: "drive" });
    if (this.#closed !== undefined) {
      await client.close();
      throw shutDown();
    }
    const { onApproval } = this.#options;
    const approvals = onApproval === undefined ? undefined : new Approvals(client, onApproval, this.#report).run();
    let closed: Promise<void> | undefined;
    const session: EngineSession = new EngineSession(client, {
      newTurnId: () => host.client.newTurnId(),
      onClose: () => {
        this.#sessions.delete(session);
        closed ??= client.close().then(() => approvals);
        return closed;
      },
    });
    this.#sessions.add(session);
    return session;
  }

  /**
   * One turn: in a new session, or in the one that `options.session` names, which is closed afterwards. Iterate what is returned for its
   * events, or wait for its `result()`; the callbacks are called in the order of the events.
   * @throws as `open`, from `result()` and the iteration
   */
  run(words: string | readonly UserContent[], options: RunOptions & RunCallbacks = {}): EngineRun {
    return new EngineRun(words, options, (target) => this.open(target));
  }

  /** The tools that models are offered in the engine's workspace: built-in, of servers and plugins, of the program. @throws as `initialize` */
  async getTools(): Promise<readonly ToolDefinition[]> {
    return await (await this.#open()).host.tools();
  }

  /** The value of a key of the configuration, as sessions that are opened now find it; secrets are masked. @throws AppError `usage.invalid` for what is no key */
  async getConfig(key: string): Promise<JsonValue> {
    return explainKey((await this.#settings(this.#cwd())).loaded, key).value;
  }

  /** Changes a setting for sessions that are opened afterwards. @throws AppError `config.invalid`; then nothing is changed */
  async setConfig(key: string, value: JsonValue): Promise<void> {
    const { host } = await this.#open();
    await this.#settings(this.#cwd(), new Map([...this.#changed, [key, value]]));
    this.#changed.set(key, value);
    host.renew();
  }

  /** The mode of new sessions; a session has its own (`EngineSession.setMode`). */
  async getMode(): Promise<PermissionMode> {
    return (await this.#settings(this.#cwd())).loaded.values.permissions.mode;
  }

  /** @throws AppError `config.invalid` */
  async setMode(mode: PermissionMode): Promise<void> {
    await this.setConfig("permissions.mode", mode);
  }

  /** The plugins of `options.plugins`, and what they registered. @throws as `initialize` */
  async getPluginStatus(): Promise<PluginStatus> {
    return (await this.#open()).plugins.status();
  }

  /** What a plugin registered under that name; `undefined`: none did. @throws as `initialize` */
  async getService(name: string): Promise<unknown> {
    return (await this.#open()).plugins.service(name);
  }

  /** Closes every session and what the engine runs on. Twice is harmless; nothing can be opened afterwards. */
  shutdown(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    const closed = await Promise.allSettled([...this.#sessions].map((session) => session.close()));
    for (const result of closed) if (result.status === "rejected") this.#report(result.reason);
    await opened?.host.close();
    for (const problem of (await opened?.plugins.destroy()) ?? []) this.#report(problem);
  }

  #open(): Promise<Opened> {
    if (this.#closed !== undefined) return Promise.reject(shutDown());
    if (this.#opened === undefined) {
      const opened = this.#start();
      opened.catch(() => (this.#opened = undefined));
      this.#opened = opened;
    }
    return this.#opened;
  }

  async #start(): Promise<Opened> {
    const settings = await this.#settings(this.#cwd());
    const plugins = new EnginePlugins();
    const { plugins: given = [], pluginConfig: config = {} } = this.#options;
    await plugins.initialize(given, { workspace: settings.workspace, config });
    try {
      return { host: await this.#host(settings, plugins), report: reportOf(settings), plugins };
    } catch (error) {
      await plugins.destroy();
      throw error;
    }
  }

  async #host(settings: Settings, plugins: EnginePlugins): Promise<Host> {
    const { onApproval, providers, compactors = {}, isShared, hooks = [], toolCallHooks } = this.#options;
    const tools = addTools(this.#options.tools, plugins.tools, settings.loaded.values.tools.output.max_bytes);
    return await createHost(settings, {
      hooks: await hooksOf([...hooks, ...plugins.hooks], toolCallHooks),
      askPolicy: onApproval === undefined ? "deny" : "ask",
      interactionExpiryMs: null,
      onUnknown: onApproval === undefined ? "fail" : "ask",
      version,
      isShared: isShared === true,
      loadSettings: (cwd) => this.#settings(cwd),
      report: this.#report,
      ...(tools === undefined ? {} : { tools }),
      ...(providers === undefined ? {} : { providers }),
      compactors: { ...plugins.compactors, ...compactors },
    });
  }

  #cwd(): string {
    return this.#options.cwd ?? process.cwd();
  }

  #settings(cwd: string, changed: ReadonlyMap<string, JsonValue> = this.#changed): Promise<Settings> {
    const { home, env = process.env, model, mode, set = {}, safeMode } = this.#options;
    const given: readonly (readonly [option: string, key: string, value: JsonValue | undefined])[] = [
      ["model", "app.model", model],
      ["mode", "permissions.mode", changed.has("permissions.mode") ? undefined : mode],
      ...Object.entries(set).flatMap(([key, value]) => (changed.has(key) ? [] : [["set", key, value] as const])),
      ...[...changed].map(([key, value]) => ["setConfig", key, value] as const),
    ];
    return loadSettings({
      env: home === undefined ? env : { ...env, CAPSTAN_HOME: home },
      cwd,
      sets: [],
      flags: given.flatMap(([flag, key, value]) => (value === undefined ? [] : [{ flag, key, value }])),
      safeMode: safeMode === true,
      addDirectories: [],
      yolo: false,
    });
  }

  #identity(): ClientIdentity {
    const { user } = this.#options;
    return { frontend: "library", role: "operate", ...(user === undefined ? currentUser() : { user }) };
  }
}

function shutDown(): AppError {
  return new AppError("usage.invalid", "the engine was shut down", { hint: "Make another one." });
}

function reportOf({ home, loaded, workspace, trust }: Settings): EngineReport {
  return {
    version,
    home,
    cwd: workspace.cwd,
    model: loaded.values.app.model ?? null,
    mode: loaded.values.permissions.mode,
    warnings: [...loaded.warnings, ...trust.notices.map(({ text }) => text)],
  };
}
