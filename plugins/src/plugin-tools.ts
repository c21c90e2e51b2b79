import type { Tool, ToolSource } from "@capstan/ports";
import { programTool } from "@capstan/tools";
import type { RunningPlugin } from "./running-plugin.ts";

/** The tools of the plugins that run. One whose process ended is used no more, and its tools go. */
export class PluginTools implements ToolSource {
  readonly label = "plugins";
  readonly #outputBytes: number;
  readonly #plugins = new Map<RunningPlugin, readonly Tool[]>();
  readonly #subscribers = new Set<() => void>();

  constructor(outputBytes: number) {
    this.#outputBytes = outputBytes;
  }

  /** @throws AppError `usage.invalid` for a tool that cannot be one */
  add(plugin: RunningPlugin): void {
    this.#plugins.set(
      plugin,
      plugin.tools.map((tool) => programTool(tool, this.#outputBytes)),
    );
    void this.#removeWhenOver(plugin);
  }

  tools(): readonly Tool[] {
    return [...this.#plugins.values()].flat();
  }

  reservedNames(): readonly string[] {
    return [];
  }

  subscribe(onChange: () => void): () => void {
    // Wrapped, so that one function that subscribes twice is two subscribers.
    const subscriber = (): void => onChange();
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  async close(): Promise<void> {
    this.#subscribers.clear();
    await Promise.all([...this.#plugins.keys()].map(async (plugin) => await plugin.close()));
  }

  async #removeWhenOver(plugin: RunningPlugin): Promise<void> {
    await plugin.over;
    this.#plugins.delete(plugin);
    for (const subscriber of this.#subscribers) subscriber();
  }
}
