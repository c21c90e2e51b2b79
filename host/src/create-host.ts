import { AppError } from "@capstan/protocol";
import type { ModelProvider, SessionStore, ToolCatalog } from "@capstan/ports";
import type { Attendance, EngineClient, ModelSettings, OnUnknown, Policy, Rule } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { createToolCatalog } from "@capstan/tools";
import { createRedactor, type Redactor, type RuntimePorts } from "@capstan/runtime";
import { type ChosenModel, chooseModel } from "./catalog/choose-model.ts";
import { makeProvider } from "./catalog/make-provider.ts";
import { requireKey, resolveProvider } from "./catalog/resolve-provider.ts";
import { workspaceContext } from "./context/workspace-context.ts";
import { type DataDirectory, prepareDataDirectory } from "./data-dir.ts";
import type { LoadedConfig } from "./config/load-config.ts";
import type { Settings } from "./load-settings.ts";
import { composePrompt } from "./prompt/compose-prompt.ts";
import { secretValues } from "./session/clean-environment.ts";
import { LocalEngine } from "./session/local-engine.ts";
import { pruneSpill } from "./session/prune-spill.ts";
import { SessionArchive } from "./session/session-archive.ts";
import { sessionConfig } from "./session/session-config.ts";
import { toolsOptions } from "./session/tools-options.ts";
import { sha256 } from "./system/sha256.ts";
import { systemChance } from "./system/system-chance.ts";
import { systemClock } from "./system/system-clock.ts";

export interface HostOptions {
  readonly attendance: Attendance;
  readonly onUnknown: OnUnknown;
  readonly version: string;
  /** Told about mistakes that did not stop the session. */
  report(error: unknown): void;
}

/** A running Capstan: the engine and what it runs on. */
export interface Host {
  readonly engine: EngineClient;
  readonly model: ModelSettings;
  close(): Promise<void>;
}

/**
 * Puts the parts together: the only place that knows who plays which.
 * @throws AppError `model.*`, `config.*`, `storage.*`
 */
export async function createHost(settings: Settings, options: HostOptions): Promise<Host> {
  const { loaded, policy, workspace } = settings;
  const chosen = chooseModel(loaded.values, settings.env);
  requireKey(chosen.provider);
  requirePrices(chosen, loaded);
  const context = workspaceContext(
    {
      instructionFiles: loaded.values.context.instruction_files,
      maxInstructionBytes: loaded.values.context.max_instruction_bytes,
      now: () => systemClock.now(),
    },
    workspace,
  );
  const providers = new ProviderShelf(settings, chosen);
  const data = await prepareDataDirectory(settings.home);
  const redact = redactorOf(settings);
  const tools = openTools(settings, data, redact);
  const [store, systemPrompt] = await Promise.all([openStore(data), composePrompt(loaded.values)]);
  const config = sessionConfig(loaded.values, {
    model: chosen.model,
    policy: withSpill(policy, data),
    systemPrompt,
    tools: tools.definitions(),
    attendance: options.attendance,
    onUnknown: options.onUnknown,
  });
  const ports: RuntimePorts = {
    store,
    tools,
    clock: systemClock,
    chance: systemChance,
    digest: sha256,
    context,
    provider: (model) => providers.get(model.provider),
    redact,
    report: (error) => options.report(error),
  };
  const pruned = pruneSpill(data.spill, systemClock.now());
  const engine = new LocalEngine({ ports, workspace, config, version: options.version });
  return {
    engine,
    model: chosen.model,
    async close() {
      await engine.close();
      await providers.close();
      await pruned;
    },
  };
}

/** A budget that nobody can keep is refused, not ignored. */
function requirePrices({ model }: ChosenModel, { values }: LoadedConfig): void {
  if (values.limits.max_cost_usd === null || model.prices !== undefined) return;
  const name = `${model.provider}/${model.id}`;
  throw new AppError("config.invalid", `limits.max_cost_usd is set, but the prices of ${name} are not known`, {
    hint: `Set price_input and price_output in [models."${name}"], or leave the budget out.`,
  });
}

/** The sessions on disk, without anything that could run one. */
export async function openArchive(settings: Pick<Settings, "home">): Promise<SessionArchive> {
  return new SessionArchive(await openStore(await prepareDataDirectory(settings.home)));
}

/** The built-in tools under these settings. */
export function openTools(
  settings: Settings,
  data: DataDirectory,
  redact: Redactor = redactorOf(settings),
): ToolCatalog {
  const { loaded, env } = settings;
  return createToolCatalog(toolsOptions(loaded.values, env, data.spill, redact), loaded.values.tools.disabled);
}

function openStore(data: DataDirectory): Promise<SessionStore> {
  return openSqliteStore({ path: data.database, backupDirectory: data.backups });
}

/** Long command output lies outside the workspace, and the model is told to read it there. */
function withSpill(policy: Policy, { spill }: DataDirectory): Policy {
  const rules = ["read_file", "search"].map((tool): Rule => ({
    verdict: "allow",
    tool,
    path: `${spill}/**`,
    source: "built-in",
    text: `${tool}(${spill}/**)`,
  }));
  return { ...policy, rules: [...rules, ...policy.rules] };
}

/** Takes out Capstan's own keys and the environment's secret values, besides whatever looks like a key. */
function redactorOf({ env, loaded }: Settings): Redactor {
  const { api_keys: keys, providers } = loaded.values;
  const own = Object.values(providers).flatMap((provider) => (provider.api_key === null ? [] : [provider.api_key]));
  return createRedactor([...secretValues(env), ...Object.values(keys), ...own]);
}

/** Providers are made when first asked and kept, so that connections stay open. */
class ProviderShelf {
  readonly #settings: Settings;
  readonly #made = new Map<string, Promise<ModelProvider>>();

  constructor(settings: Settings, chosen: ChosenModel) {
    this.#settings = settings;
    // Its code loads while the session opens.
    const first = makeProvider(chosen.provider, settings.loaded.values);
    first.catch(() => undefined);
    this.#made.set(chosen.provider.name, first);
  }

  get(name: string): Promise<ModelProvider> {
    const { loaded, env } = this.#settings;
    const made = this.#made.get(name) ?? makeProvider(resolveProvider(name, loaded.values, env), loaded.values);
    this.#made.set(name, made);
    return made;
  }

  async close(): Promise<void> {
    const made = await Promise.allSettled(this.#made.values());
    for (const provider of made) {
      if (provider.status === "fulfilled") provider.value.close();
    }
  }
}
