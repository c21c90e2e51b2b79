import { explainKey, loadSettings, type Settings } from "@capstan/host";
import type { JsonValue } from "@capstan/protocol";
import type { EngineOptions, SystemPrompt } from "./engine-options.ts";

type Given = readonly [option: string, key: string, value: JsonValue | undefined];

/** The settings of an engine: what its options say, what was changed since, and the configuration below both. */
export class EngineSettings {
  readonly #options: EngineOptions;
  /** Settings that were changed since, by key. */
  readonly #changed = new Map<string, JsonValue>();

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** As they are where the program runs, or in another folder. @throws AppError `config.*`, `usage.workspace-missing` */
  async load(cwd: string = this.#options.cwd ?? process.cwd()): Promise<Settings> {
    return await this.#load(cwd, this.#changed);
  }

  /** One value; secrets are masked. @throws AppError `usage.invalid` for what is no key */
  async value(key: string): Promise<JsonValue> {
    return explainKey((await this.load()).loaded, key).value;
  }

  /** @throws AppError `config.invalid`; then nothing is changed */
  async change(key: string, value: JsonValue): Promise<void> {
    await this.#load(this.#options.cwd ?? process.cwd(), new Map([...this.#changed, [key, value]]));
    this.#changed.set(key, value);
  }

  #load(cwd: string, changed: ReadonlyMap<string, JsonValue>): Promise<Settings> {
    const { home, env = process.env, model, mode, set = {}, safeMode, systemPrompt } = this.#options;
    const options: readonly Given[] = [
      ["model", "app.model", model],
      ["mode", "permissions.mode", mode],
      ...promptOf(systemPrompt),
      ...Object.entries(set).map(([key, value]): Given => ["set", key, value]),
    ];
    const given: readonly Given[] = [
      ...options.filter(([, key]) => !changed.has(key)),
      ...[...changed].map(([key, value]): Given => ["setConfig", key, value]),
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
}

function promptOf(prompt: SystemPrompt | undefined): readonly Given[] {
  if (prompt === undefined) return [];
  return typeof prompt === "string"
    ? [["systemPrompt", "prompt.system_prompt", prompt]]
    : [["systemPrompt", "prompt.append_system_prompt", prompt.append]];
}
