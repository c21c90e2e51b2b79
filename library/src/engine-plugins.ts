import { orderPlugins } from "@capstan/host";
import type { Compactor, Compactors, ProgramHook, ProgramTool } from "@capstan/ports";
import { AppError, type JsonObject, type JsonValue, messageOf, type Workspace } from "@capstan/protocol";

/**
 * A plugin that the program passes as an object. It runs in the program's own process, which its author answers for; plugins found in
 * folders have processes of their own.
 */
export interface EnginePlugin {
  readonly name: string;
  readonly version: string;
  /** Names of plugins that are initialized before it. */
  readonly dependencies?: readonly string[];
  beforeInitialize?(context: PluginContext): void | Promise<void>;
  initialize(context: PluginContext): void | Promise<void>;
  afterInitialize?(context: PluginContext): void | Promise<void>;
  /** When the engine shuts down, the last one first. */
  destroy?(): void | Promise<void>;
}

/** What a plugin works with while it is initialized. */
export interface PluginContext {
  readonly workspace: Workspace;
  /** What `pluginConfig` has under its name. */
  readonly config: JsonObject;
  registerTool(tool: ProgramTool): void;
  registerTools(tools: readonly ProgramTool[]): void;
  getTool(name: string): ProgramTool | undefined;
  getTools(): readonly ProgramTool[];
  /** As one of the engine's `hooks`, after these. */
  registerHook(hook: ProgramHook): void;
  /** Makes room in conversations where `context.compactor` or an agent gives its name. */
  registerCompactor(name: string, compactor: Compactor): void;
  registerService(name: string, service: unknown): void;
  getService(name: string): unknown;
  getConfig(key: string): JsonValue | undefined;
  /** Shared by the plugins of the engine. */
  readonly events: PluginEvents;
}

/** What plugins of one engine let each other know. */
export interface PluginEvents {
  on(name: string, listener: (value: unknown) => void): void;
  off(name: string, listener: (value: unknown) => void): void;
  /** Calls the listeners of that name, one after another. */
  emit(name: string, value?: unknown): void;
}

/** What the plugins of an engine are, and what they registered, by name. */
export interface PluginStatus {
  readonly enginePlugins: readonly { readonly name: string; readonly version: string; readonly initializeMs: number }[];
  readonly tools: readonly string[];
  /** How many there are of each moment, by the name they were registered with. */
  readonly hooks: Readonly<Record<string, number>>;
  readonly services: readonly string[];
}

export interface PluginsOptions {
  readonly workspace: Workspace;
  /** By the plugin's name. */
  readonly config: Readonly<Record<string, JsonObject>>;
}

/** The plugins that a program passed to its engine, initialized in the order of what they depend on. */
export class EnginePlugins {
  readonly #started: EnginePlugin[] = [];
  readonly #times: PluginStatus["enginePlugins"][number][] = [];
  readonly #tools = new Map<string, ProgramTool>();
  readonly #services = new Map<string, unknown>();
  readonly #hooks: ProgramHook[] = [];
  readonly #compactors = new Map<string, Compactor>();
  readonly #events = new Events();

  /** @throws AppError `usage.invalid`: what is missing, goes in a circle, or failed, by the plugin's name; then nothing is left of the others */
  async initialize(plugins: readonly EnginePlugin[], options: PluginsOptions): Promise<void> {
    const named = plugins.map((plugin) => ({ name: plugin.name, dependencies: plugin.dependencies ?? [], plugin }));
    const twice = named.find(({ name }, index) => named.findIndex((other) => other.name === name) !== index);
    if (twice !== undefined) throw failed(twice.name, "there are two plugins of that name");
    const { ordered, left } = orderPlugins(named);
    const [unmet] = left;
    if (unmet !== undefined) throw failed(unmet.plugin.name, unmet.problem);
    for (const { plugin } of ordered) await this.#start(plugin, options);
  }

  get tools(): readonly ProgramTool[] {
    return [...this.#tools.values()];
  }

  /** In the order in which they were registered. */
  get hooks(): readonly ProgramHook[] {
    return this.#hooks;
  }

  get compactors(): Compactors {
    return Object.fromEntries(this.#compactors);
  }

  service(name: string): unknown {
    return this.#services.get(name);
  }

  status(): PluginStatus {
    return {
      enginePlugins: [...this.#times],
      tools: [...this.#tools.keys()],
      hooks: counted(this.#hooks),
      services: [...this.#services.keys()],
    };
  }

  /** @returns what went wrong; every plugin is destroyed all the same */
  async destroy(): Promise<readonly unknown[]> {
    const problems: unknown[] = [];
    for (const plugin of this.#started.splice(0).toReversed()) {
      try {
        await plugin.destroy?.();
      } catch (error) {
        problems.push(error);
      }
    }
    this.#events.clear();
    return problems;
  }

  async #start(plugin: EnginePlugin, { workspace, config }: PluginsOptions): Promise<void> {
    const own = Object.hasOwn(config, plugin.name) ? config[plugin.name] : undefined;
    const context = this.#context(workspace, own ?? {});
    const started = performance.now();
    this.#started.push(plugin);
    try {
      await plugin.beforeInitialize?.(context);
      await plugin.initialize(context);
      await plugin.afterInitialize?.(context);
    } catch (error) {
      await this.destroy();
      throw failed(plugin.name, messageOf(error), error);
    }
    const initializeMs = Math.round(performance.now() - started);
    this.#times.push({ name: plugin.name, version: plugin.version, initializeMs });
  }

  #context(workspace: Workspace, config: JsonObject): PluginContext {
    const registerTool = (tool: ProgramTool): void => {
      if (this.#tools.has(tool.name)) throw new Error(`there are two tools named ${tool.name}`);
      this.#tools.set(tool.name, tool);
    };
    return {
      workspace,
      config,
      registerTool,
      registerTools: (tools) => tools.forEach((tool) => registerTool(tool)),
      getTool: (name) => this.#tools.get(name),
      getTools: () => this.tools,
      registerHook: (hook) => void this.#hooks.push(hook),
      registerCompactor: (name, compactor) => void this.#compactors.set(name, compactor),
      registerService: (name, service) => void this.#services.set(name, service),
      getService: (name) => this.#services.get(name),
      getConfig: (key) => (Object.hasOwn(config, key) ? config[key] : undefined),
      events: this.#events,
    };
  }
}

function counted(hooks: readonly ProgramHook[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { event } of hooks) counts.set(event, (counts.get(event) ?? 0) + 1);
  return Object.fromEntries(counts);
}

class Events implements PluginEvents {
  readonly #listeners = new Map<string, Set<(value: unknown) => void>>();

  on(name: string, listener: (value: unknown) => void): void {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(listener));
  }

  off(name: string, listener: (value: unknown) => void): void {
    this.#listeners.get(name)?.delete(listener);
  }

  emit(name: string, value?: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }

  clear(): void {
    this.#listeners.clear();
  }
}

function failed(name: string, problem: string, cause?: unknown): AppError {
  return new AppError("usage.invalid", `the plugin ${name}: ${problem}`, {
    hint: "Correct it, or leave it out of `plugins`.",
    ...(cause === undefined ? {} : { cause }),
  });
}
