import { AppError } from "@capstan/protocol";
import type { ModelProvider, SessionStore, ToolCatalog } from "@capstan/ports";
import type { Attendance, EngineClient, ModelSettings, OnUnknown, Policy, Rule } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { createToolCatalog } from "@capstan/tools";
import { createRedactor, type HealthPolicy, ProviderHealth, type Redactor, type RuntimePorts } from "@capstan/runtime";
import { chooseFallbacks, type ChosenModel, chooseModel } from "./catalog/choose-model.ts";
import { catalogFor } from "./catalog/model-catalog.ts";
import type { ExternalProviders } from "./catalog/external-provider.ts";
import { makeProvider } from "./catalog/make-provider.ts";
import { requireKey, resolveProvider } from "./catalog/resolve-provider.ts";
import { workspaceContext } from "./context/workspace-context.ts";
import { type DataDirectory, prepareDataDirectory } from "./data-dir.ts";
import type { CapstanConfig } from "./config/keys/capstan-config.ts";
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

const msPerSecond = 1000;

export interface HostOptions {
  readonly attendance: Attendance;
  readonly onUnknown: OnUnknown;
  readonly version: string;
  /** Providers beside the built-in and configured ones. */
  readonly providers?: ExternalProviders;
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
  const known = { catalog: await catalogFor(loaded.values, settings.home), external: options.providers ?? {} };
  const chosen = chooseModel(loaded.values, settings.env, known);
  if (chosen.provider !== undefined) requireKey(chosen.provider);
  const fallbacks = chooseFallbacks(loaded.values, settings.env, known);
  for (const model of [chosen.model, ...fallbacks]) requirePrices(model, loaded);
  const context = workspaceContext(
    {
      instructionFiles: loaded.values.context.instruction_files,
      maxInstructionBytes: loaded.values.context.max_instruction_bytes,
      now: () => systemClock.now(),
    },
    workspace,
  );
  const providers = new ProviderShelf(settings, chosen, known.external);
  const data = await prepareDataDirectory(settings.home);
  const redact = redactorOf(settings);
  const tools = openTools(settings, data, redact);
  const [store, systemPrompt] = await Promise.all([openStore(data), composePrompt(loaded.values)]);
  const config = sessionConfig(loaded.values, {
    model: chosen.model,
    fallbacks,
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
    health: new ProviderHealth(systemClock, healthPolicy(loaded.values)),
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

/** When a provider is left alone, and how long a limit of its vendor is waited for. */
function healthPolicy({ retry }: CapstanConfig): HealthPolicy {
  return {
    breakerFailures: retry.breaker_failures,
    breakerMs: retry.breaker_seconds * msPerSecond,
    maxLimitWaitMs: retry.max_retry_after_seconds * msPerSecond,
  };
}

/** A budget that nobody can keep is refused, not ignored. */
function requirePrices(model: ModelSettings, { values }: LoadedConfig): void {
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

/** Names of headers and parameters that carry keys. */
const secretName = /auth|key|token|secret|cookie|password/i;

/** Takes out Capstan's own keys and the environment's secret values, besides whatever looks like a key. */
function redactorOf({ env, loaded }: Settings): Redactor {
  const { api_keys: keys, providers } = loaded.values;
  const own = Object.values(providers).flatMap(({ api_key: key, headers, query }) => [
    ...(key === null ? [] : [key]),
    ...[...Object.entries(headers), ...Object.entries(query)].flatMap(([name, value]) =>
      secretName.test(name) ? [value] : [],
    ),
  ]);
  return createRedactor([...secretValues(env), ...Object.values(keys), ...own]);
}

/** Providers are made when first asked and kept, so that connections stay open. */
class ProviderShelf {
  readonly #settings: Settings;
  readonly #external: ExternalProviders;
  readonly #made = new Map<string, Promise<ModelProvider>>();

  constructor(settings: Settings, { model }: ChosenModel, external: ExternalProviders) {
    this.#settings = settings;
    this.#external = external;
    // Its code loads while the session opens.
    this.get(model.provider).catch(() => undefined);
  }

  get(name: string): Promise<ModelProvider> {
    const made = this.#made.get(name) ?? this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  async #make(name: string): Promise<ModelProvider> {
    const { loaded, env } = this.#settings;
    const outside = Object.hasOwn(this.#external, name) ? this.#external[name] : undefined;
    return outside?.create() ?? makeProvider(resolveProvider(name, loaded.values, env), loaded.values, env);
  }

  async close(): Promise<void> {
    const made = await Promise.allSettled(this.#made.values());
    for (const provider of made) {
      if (provider.status === "fulfilled") provider.value.close();
    }
  }
}
