import { fitsRange, orderPlugins } from "@capstan/host";
import type { ProgramHook } from "@capstan/ports";
import { AppError, type JsonObject, messageOf, type Workspace } from "@capstan/protocol";
import { type PluginContext, PluginRegistrations } from "./plugin-context.ts";
import { version } from "../version.ts";

/**
 * A plugin that the program passes as an object. It runs in the program's own process, which its author answers for; plugins found in
 * folders have processes of their own.
 */
export interface EnginePlugin {
  readonly name: string;
  readonly version: string;
  /** Names of plugins that are initialized before it. */
  readonly dependencies?: readonly string[];
  /** The versions of Capstan that it is for: `>=0.1 <1`. */
  readonly engine?: string;
  beforeInitialize?(context: PluginContext): void | Promise<void>;
  initialize(context: PluginContext): void | Promise<void>;
  afterInitialize?(context: PluginContext): void | Promise<void>;
  /** When the engine shuts down, the last one first. */
  destroy?(): void | Promise<void>;
}

/** A plugin that was found in a folder or package, and started. */
export interface FoundPluginStatus {
  /** As `capstan plugins` names it. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Whose it is: the user's, or the workspace's. */
  readonly from: string;
  readonly file: string;
  /** It runs as the user, outside of the sandbox. */
  readonly isTrusted: boolean;
  readonly tools: readonly string[];
  readonly services: readonly string[];
  readonly loadMs: number;
  readonly initializeMs: number;
}

/** What the plugins of an engine are, and what they registered, by name. */
export interface PluginStatus {
  readonly enginePlugins: readonly { readonly name: string; readonly version: string; readonly initializeMs: number }[];
  readonly tools: readonly string[];
  /** How many there are of each moment, by the name they were registered with. */
  readonly hooks: Readonly<Record<string, number>>;
  readonly services: readonly string[];
  /** Those that were found in folders and packages, each in a process of its own: what they are, and what they registered. */
  readonly foundPlugins: readonly FoundPluginStatus[];
  /** What was left out of these, and why. */
  readonly leftOut: readonly string[];
}

export interface PluginsOptions {
  readonly workspace: Workspace;
  /** By the plugin's name. */
  readonly config: Readonly<Record<string, JsonObject>>;
}

/** The plugins that a program passed to its engine, initialized in the order of what they depend on. */
export class EnginePlugins {
  /** What they registered. */
  readonly registered: PluginRegistrations;
  readonly #started: EnginePlugin[] = [];
  readonly #times: PluginStatus["enginePlugins"][number][] = [];

  /** @param report  receives what listeners of the plugins' events throw */
  constructor(report: (error: unknown) => void) {
    this.registered = new PluginRegistrations(report);
  }

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

  status(): Omit<PluginStatus, "foundPlugins" | "leftOut"> {
    return {
      enginePlugins: [...this.#times],
      tools: [...this.registered.tools.keys()],
      hooks: counted(this.registered.hooks),
      services: [...this.registered.services.keys()],
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
    this.registered.clear();
    return problems;
  }

  async #start(plugin: EnginePlugin, { workspace, config }: PluginsOptions): Promise<void> {
    const own = Object.hasOwn(config, plugin.name) ? config[plugin.name] : undefined;
    const context = this.registered.context(workspace, own ?? {});
    const started = performance.now();
    this.#started.push(plugin);
    try {
      if (plugin.engine !== undefined && !fitsRange(version, plugin.engine))
        throw new Error(`it is for Capstan ${plugin.engine}, and this is ${version}`);
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
}

function counted(hooks: readonly ProgramHook[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { event } of hooks) counts.set(event, (counts.get(event) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function failed(name: string, problem: string, cause?: unknown): AppError {
  return new AppError("usage.invalid", `the plugin ${name}: ${problem}`, {
    hint: "Correct it, or leave it out of `plugins`.",
    ...(cause === undefined ? {} : { cause }),
  });
}
