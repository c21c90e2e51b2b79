import { AppError } from "@capstan/protocol";
import type { ModelProvider } from "@capstan/ports";
import type { Attendance, EngineClient, ModelSettings, OnUnknown, Origin, SessionId } from "@capstan/protocol";
import { type HealthPolicy, ProviderHealth, type RuntimePorts } from "@capstan/runtime";
import { chooseFallbacks, type ChosenModel, chooseModel } from "./catalog/choose-model.ts";
import { catalogFor } from "./catalog/model-catalog.ts";
import type { ExternalProviders } from "./catalog/external-provider.ts";
import { makeProvider } from "./catalog/make-provider.ts";
import { requireKey, resolveProvider } from "./catalog/resolve-provider.ts";
import { workspaceContext } from "./context/workspace-context.ts";
import { prepareDataDirectory } from "./data-dir.ts";
import type { CapstanConfig } from "./config/keys/capstan-config.ts";
import type { LoadedConfig } from "./config/load-config.ts";
import type { Settings } from "./load-settings.ts";
import { composePrompt } from "./prompt/compose-prompt.ts";
import { LocalEngine, type LocalEngineOptions, type OpenTurnMode } from "./session/local-engine.ts";
import { pruneSpill } from "./session/prune-spill.ts";
import { takeBackLast, type TakenBack } from "./session/rewind-session.ts";
import { sessionConfig } from "./session/session-config.ts";
import { isolationFor, openSandbox } from "./open-sandbox.ts";
import { openCheckpoints, openStore, openTools, redactorOf, withGrants, withSpill } from "./open-parts.ts";
import { sha256 } from "./system/sha256.ts";
import { systemChance } from "./system/system-chance.ts";
import { systemClock } from "./system/system-clock.ts";

const msPerSecond = 1000;

export interface HostOptions {
  readonly attendance: Attendance;
  /** How long a question waits; `null`: as long as it takes. */
  readonly interactionExpiryMs: number | null;
  readonly onUnknown: OnUnknown;
  readonly version: string;
  /** A session is resumed without new words: its turn goes on as it began. */
  readonly goesOn?: boolean;
  /** Providers beside the built-in and configured ones. */
  readonly providers?: ExternalProviders;
  /** Told about mistakes that did not stop the session. */
  report(error: unknown): void;
}

/** A running Capstan: the engine and what it runs on. */
export interface Host {
  readonly engine: EngineClient;
  readonly model: ModelSettings;
  /** @throws AppError `usage.invalid`, `session.*`, `storage.*` */
  takeBackLast(id: SessionId, origin: Origin): Promise<TakenBack>;
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
  const context = contextOf(settings);
  const providers = new ProviderShelf(settings, chosen, known.external);
  const data = await prepareDataDirectory(settings.home);
  const redact = redactorOf(settings);
  const sandbox = openSandbox(settings, data);
  const tools = openTools(settings, data, redact, sandbox);
  const [isolation, store, systemPrompt] = await Promise.all([
    isolationFor(settings, sandbox),
    openStore(data),
    composePrompt(loaded.values),
  ]);
  const grants = await store.grants.list();
  const config = sessionConfig(loaded.values, {
    model: chosen.model,
    fallbacks,
    policy: withGrants(withSpill(policy, data), grants, workspace),
    systemPrompt,
    tools: tools.definitions(),
    attendance: options.attendance,
    interactionExpiryMs: options.interactionExpiryMs,
    isolation,
    onUnknown: options.onUnknown,
  });
  const ports: RuntimePorts = {
    store,
    tools,
    checkpoints: openCheckpoints(data),
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
  const engine = new LocalEngine({
    ports,
    config,
    ...toldToEngine(settings, options),
  });
  return {
    engine,
    model: chosen.model,
    takeBackLast: (id, origin) => takeBackLast(engine, id, origin),
    async close() {
      await engine.close();
      await providers.close();
      await pruned;
    },
  };
}

function contextOf({ loaded, trust, workspace }: Settings): RuntimePorts["context"] {
  const { instruction_files: instructionFiles, max_instruction_bytes: maxInstructionBytes } = loaded.values.context;
  return workspaceContext({ instructionFiles, maxInstructionBytes, trust, now: () => systemClock.now() }, workspace);
}

function toldToEngine(
  { workspace, loaded, trust }: Settings,
  { version, goesOn = false }: HostOptions,
): Pick<LocalEngineOptions, "workspace" | "version" | "openTurnMode" | "notices"> {
  return { workspace, version, openTurnMode: openTurnMode(loaded, goesOn), notices: trust.notices };
}

/** What a person says for this run counts, and what is locked. */
function openTurnMode({ keys, origins }: LoadedConfig, goesOn: boolean): OpenTurnMode {
  const key = "permissions.mode";
  if (origins.get(key)?.layer === "flag" || keys.get(key)?.locked !== undefined) return "change";
  return goesOn ? "keep" : "keep-plan";
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
