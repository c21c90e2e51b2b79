import { createHost, currentUser, type Host, type Settings } from "@capstan/host";
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
import { capabilitiesOf, disabledParts, requireCapabilities } from "./capabilities.ts";
import type { ConfigKey, ConfigSetting, ConfigValue } from "./config-values.ts";
import type { EngineOptions, OpenFor } from "./engine-options.ts";
import { hooksOf } from "./engine-hooks.ts";
import { EnginePlugins, type PluginStatus } from "./plugins/engine-plugins.ts";
import { EngineEmitter } from "./events/emitter.ts";
import type { EngineEvents } from "./events/engine-events.ts";
import type { EngineReport } from "./engine-report.ts";
import { EngineRun, type RunCallbacks, type RunOptions } from "./engine-run.ts";
import { EngineSession } from "./engine-session.ts";
import { EngineSettings } from "./engine-settings.ts";
import { replacedParts } from "./replaced-parts.ts";
import { reportOf } from "./report-of.ts";
import { version } from "./version.ts";

/** Where an engine is in its life: it goes from the first to the last, and back to the first only where it could not be opened. */
export type EngineState = "new" | "initializing" | "ready" | "shutting-down" | "shut-down";

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
  readonly #settings: EngineSettings;
  readonly #report: (error: unknown) => void;
  readonly #events: EngineEmitter;
  readonly #sessions = new Set<EngineSession>();
  #state: EngineState = "new";
  #opened: Promise<Opened> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: EngineOptions = {}) {
    this.#options = options;
    this.#settings = new EngineSettings(options);
    this.#report = options.report ?? reportOnStandardError;
    this.#events = new EngineEmitter(this.#report);
  }

  get state(): EngineState {
    return this.#state;
  }

  /** What happens in the engine and in its sessions, for who listens. */
  get events(): EngineEvents {
    return this.#events;
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
   * @throws AppError `session.unknown`, `model.*`, `provider.auth`, `door.*` of the middleware, and as `initialize`
   */
  async open(target: SessionTarget = { type: "new" }, by: OpenFor = {}): Promise<EngineSession> {
    const { host } = await this.#open();
    const client = await host.client.open(target, { identity: this.#identity(by), purpose: "drive" });
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
    return new EngineRun(words, options, (target) => this.open(target, options));
  }

  /** The tools that models are offered in the engine's workspace: built-in, of servers and plugins, of the program. @throws as `initialize` */
  async getTools(): Promise<readonly ToolDefinition[]> {
    return await (await this.#open()).host.tools();
  }

  /**
   * The value of a key of the configuration, as sessions that are opened now find it; secrets are masked.
   * @throws AppError `usage.invalid` for what is no key, and after `shutdown`
   */
  async getConfig<Key extends ConfigKey>(key: Key): Promise<ConfigValue<Key>>;
  async getConfig(key: string): Promise<JsonValue>;
  async getConfig(key: string): Promise<JsonValue> {
    this.#requireOpen();
    return await this.#settings.value(key);
  }

  /**
   * Changes a setting for sessions that are opened afterwards.
   * @throws AppError `config.invalid`; then nothing is changed; and as `initialize`
   */
  async setConfig<Key extends string>(key: Key, value: ConfigSetting<Key>): Promise<void>;
  async setConfig(key: string, value: JsonValue): Promise<void> {
    const { host } = await this.#open();
    await this.#settings.change(key, value);
    host.renew();
  }

  /** The mode of new sessions; a session has its own (`EngineSession.setMode`). @throws AppError `config.*`; `usage.invalid` after `shutdown` */
  async getMode(): Promise<PermissionMode> {
    this.#requireOpen();
    return (await this.#settings.load()).loaded.values.permissions.mode;
  }

  /** @throws AppError `config.invalid`, and as `initialize` */
  async setMode(mode: PermissionMode): Promise<void> {
    await this.setConfig("permissions.mode", mode);
  }

  /** The plugins of `options.plugins` and those found for the engine's workspace, and what they registered. @throws as `initialize` */
  async getPluginStatus(): Promise<PluginStatus> {
    const { plugins, host } = await this.#open();
    const found = await host.plugins();
    const leftOut = (found?.notices ?? []).map(({ text }) => text);
    return { ...plugins.status(), foundPlugins: found?.reports ?? [], leftOut };
  }

  /** What a plugin registered under that name; `undefined`: none did. @throws as `initialize` */
  async getService(name: string): Promise<unknown> {
    return (await this.#open()).plugins.registered.services.get(name);
  }

  /** Closes every session and what the engine runs on. Twice is harmless; nothing can be opened afterwards. */
  shutdown(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const opening = this.#opened;
    this.#state = "shutting-down";
    const opened = await opening?.catch(() => undefined);
    const closed = await Promise.allSettled([...this.#sessions].map((session) => session.close()));
    for (const result of closed) if (result.status === "rejected") this.#report(result.reason);
    await opened?.host.close();
    if (opened !== undefined) this.#events.emit("engine.stopped", {});
    for (const problem of (await opened?.plugins.destroy()) ?? []) this.#report(problem);
    this.#state = "shut-down";
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw shutDown();
  }

  async #open(): Promise<Opened> {
    this.#requireOpen();
    this.#opened ??= this.#begin();
    return await this.#opened;
  }

  /** Many may wait for it; after a failure the next one tries again. */
  async #begin(): Promise<Opened> {
    this.#state = "initializing";
    try {
      const opened = await this.#start();
      if (this.#closed === undefined) this.#state = "ready";
      this.#events.joinPlugins(opened.plugins.registered.events);
      this.#events.emit("engine.started", { home: opened.report.home, cwd: opened.report.cwd });
      return opened;
    } catch (error) {
      this.#opened = undefined;
      if (this.#closed === undefined) this.#state = "new";
      throw error;
    }
  }

  async #start(): Promise<Opened> {
    const settings = await this.#settings.load();
    const { plugins: given = [], pluginConfig: config = {}, requires = [] } = this.#options;
    const capabilities = capabilitiesOf(settings.loaded.values, this.#without);
    requireCapabilities(requires, capabilities);
    const plugins = new EnginePlugins(this.#report);
    await plugins.initialize(given, { workspace: settings.workspace, config });
    try {
      const replaced = replacedParts(this.#options, plugins.registered);
      const report = reportOf(settings, capabilities, replaced);
      return { host: await this.#host(settings, plugins), report, plugins };
    } catch (error) {
      await plugins.destroy();
      throw error;
    }
  }

  get #without(): ReturnType<typeof disabledParts> {
    return disabledParts(this.#options.disableBuiltInPlugins ?? false);
  }

  async #host(settings: Settings, { registered }: EnginePlugins): Promise<Host> {
    const { onApproval, providers, compactors, isShared, hooks = [], toolCallHooks, middleware = [] } = this.#options;
    const outputBytes = settings.loaded.values.tools.output.max_bytes;
    const tools = addTools(this.#options.tools, [...registered.tools.values()], outputBytes);
    return await createHost(settings, {
      hooks: await hooksOf([...hooks, ...registered.hooks], toolCallHooks),
      askPolicy: onApproval === undefined ? "deny" : "ask",
      interactionExpiryMs: null,
      onUnknown: onApproval === undefined ? "fail" : "ask",
      version,
      isShared: isShared === true,
      middleware,
      observe: this.#events.observe,
      loadSettings: (cwd) => this.#settings.load(cwd),
      without: this.#without,
      report: this.#report,
      ...(tools === undefined ? {} : { tools }),
      providers: { ...Object.fromEntries(registered.providers), ...providers },
      compactors: { ...Object.fromEntries(registered.compactors), ...compactors },
    });
  }

  #identity({ user = this.#options.user, role = "operate" }: OpenFor): ClientIdentity {
    return { frontend: "library", role, ...(user === undefined ? currentUser() : { user }) };
  }
}

function shutDown(): AppError {
  return new AppError("usage.invalid", "the engine was shut down", { hint: "Make another one." });
}
