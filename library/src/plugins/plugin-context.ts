import type { ExternalProvider } from "@capstan/host";
import { EventBus } from "../events/event-bus.ts";
import { isEngineEvent } from "../events/engine-events.ts";
import type { Compactor, ProgramHook, ProgramTool } from "@capstan/ports";
import type { JsonObject, JsonValue, Workspace } from "@capstan/protocol";

/** What a plugin works with while it is initialized. What it registers counts less than what the program's options have under the same name. */
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
  /** Models are written `NAME/id`. */
  registerProvider(name: string, provider: ExternalProvider): void;
  /** What the model reads beside the words of each turn. */
  registerContextSource(name: string, source: ContextSource): void;
  registerService(name: string, service: unknown): void;
  getService(name: string): unknown;
  getConfig(key: string): JsonValue | undefined;
  /** Shared by the plugins of the engine. */
  readonly events: PluginEvents;
}

/** @returns what the model reads; nothing where there is nothing to say */
export type ContextSource = (
  turn: { readonly words: string },
  context: { readonly signal: AbortSignal },
) => string | undefined | Promise<string | undefined>;

/** What plugins of one engine let each other know. They receive the engine's own events, too (`EngineEventMap`), and cannot emit these. */
export interface PluginEvents {
  on(name: string, listener: (value: unknown) => void): void;
  off(name: string, listener: (value: unknown) => void): void;
  /** Calls the listeners of that name, one after another. What one throws is reported, and the others are called. */
  emit(name: string, value?: unknown): void;
}

/** What a plugin registers is kept under a name that no other plugin has; `events` of the engine reach all of them. */
export class PluginRegistrations {
  readonly tools: Map<string, ProgramTool> = new Map();
  readonly services: Map<string, unknown> = new Map();
  readonly hooks: ProgramHook[] = [];
  readonly compactors: Map<string, Compactor> = new Map();
  readonly providers: Map<string, ExternalProvider> = new Map();
  /** What their listeners receive: of each other, and of the engine. */
  readonly events: EventBus;

  /** @param report  receives what listeners throw */
  constructor(report: (error: unknown) => void) {
    this.events = new EventBus(report);
  }

  context(workspace: Workspace, config: JsonObject): PluginContext {
    const registerTool = (tool: ProgramTool): void => addOnce(this.tools, "tools", tool.name, tool);
    return {
      workspace,
      config,
      registerTool,
      registerTools: (tools) => tools.forEach((tool) => registerTool(tool)),
      getTool: (name) => this.tools.get(name),
      getTools: () => [...this.tools.values()],
      registerHook: (hook) => void this.hooks.push(hook),
      registerCompactor: (name, compactor) => addOnce(this.compactors, "compactors", name, compactor),
      registerProvider: (name, provider) => addOnce(this.providers, "providers", name, provider),
      registerContextSource: (name, source) => void this.hooks.push(contextHook(name, source)),
      registerService: (name, service) => void this.services.set(name, service),
      getService: (name) => this.services.get(name),
      getConfig: (key) => (Object.hasOwn(config, key) ? config[key] : undefined),
      events: eventsOf(this.events),
    };
  }

  clear(): void {
    this.events.clear();
    for (const each of [this.tools, this.services, this.compactors, this.providers]) each.clear();
    this.hooks.length = 0;
  }
}

function eventsOf(bus: EventBus): PluginEvents {
  return {
    on: (name, listener) => bus.on(name, listener),
    off: (name, listener) => bus.off(name, listener),
    emit(name, value) {
      if (isEngineEvent(name)) throw new Error(`only the engine emits ${name}`);
      bus.emit(name, value);
    },
  };
}

function addOnce<Value>(known: Map<string, Value>, what: string, name: string, value: Value): void {
  if (known.has(name)) throw new Error(`there are two ${what} named ${name}`);
  known.set(name, value);
}

function contextHook(name: string, source: ContextSource): ProgramHook {
  return {
    event: "UserPromptSubmit",
    name,
    run: async ({ prompt }, context) => await source({ words: typeof prompt === "string" ? prompt : "" }, context),
  };
}
