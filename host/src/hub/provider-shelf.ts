import { type ExternalProviders, makeProvider, requireKey, resolveProvider } from "@capstan/catalog";
import type { ModelProvider } from "@capstan/ports";
import type { Settings } from "@capstan/settings";
import { createProvider } from "@capstan/providers";

/** Providers are made when first asked and kept, so that connections stay open. */
export class ProviderShelf {
  readonly #settings: Settings;
  readonly #external: ExternalProviders;
  readonly #made = new Map<string, Promise<ModelProvider>>();

  constructor(settings: Settings, external: ExternalProviders) {
    this.#settings = settings;
    this.#external = external;
  }

  /**
   * Its code loads while the session opens.
   * @throws AppError `model.unknown`, `provider.auth` when it cannot be asked
   */
  require(name: string): void {
    const { loaded, env } = this.#settings;
    if (!Object.hasOwn(this.#external, name)) requireKey(resolveProvider(name, loaded.values, env));
    this.get(name).catch(() => undefined);
  }

  get(name: string): Promise<ModelProvider> {
    const made = this.#made.get(name) ?? this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  async #make(name: string): Promise<ModelProvider> {
    const { loaded, env } = this.#settings;
    const outside = Object.hasOwn(this.#external, name) ? this.#external[name] : undefined;
    return (
      outside?.create() ?? makeProvider(resolveProvider(name, loaded.values, env), this.#settings, { createProvider })
    );
  }

  async close(): Promise<void> {
    const made = await Promise.allSettled(this.#made.values());
    for (const provider of made) {
      if (provider.status === "fulfilled") provider.value.close();
    }
  }
}
