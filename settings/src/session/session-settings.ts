import {
  AppError,
  type ChangedSettings,
  type ModelSettings,
  type PersonaProfile,
  type SessionConfig,
  type SettingsPatch,
  type TurnLimits,
} from "@capstan/protocol";
import { effortLevels } from "../config/keys/model-keys.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { asAgent } from "./as-agent.ts";
import { turnLimits } from "./session-config.ts";

/** The settings of sessions: of one that begins here, and of one that began before. */
export interface SessionSettings {
  /** @throws AppError `model.none`, `model.unknown`, `provider.auth`, `config.invalid` */
  ofNew(): SessionConfig;
  /**
   * A session keeps its model, provider, mode, strategy, limits and personas; what is given for this run changes, and policy, sandbox, prompt and tools
   * are always those of here. A model that is given and cannot be chosen is lacking, and the session's own stays.
   */
  ofResumed(own: SessionConfig): ResumedSettings;
  /**
   * What a client's patch means for a session that has these settings.
   * @throws AppError for a model or a persona that is not known, a model that cannot be asked, and for what is locked
   */
  patched(own: SessionConfig, patch: SettingsPatch): ChangedSettings;
  /** A model by its name. @throws AppError `model.unknown`, `provider.auth` */
  modelNamed(name: string): ModelSettings;
  /** Why a session with these settings cannot be carried on with here; `null`: it can. */
  lack(own: SessionConfig): AppError | null;
}

export interface ResumedSettings {
  readonly config: SessionConfig;
  /** Why the session cannot be carried on with here: an error like those of `ofNew`; `null`: it can. */
  readonly lack: AppError | null;
}

type Effort = (typeof effortLevels)[number];

export interface ModelChoice {
  readonly model: ModelSettings;
  readonly fallbacks: readonly ModelSettings[];
}

export interface SettingsSource {
  readonly loaded: Pick<LoadedConfig, "keys" | "origins">;
  /** The model that the configuration chooses, and those to turn to. @throws AppError */
  choose(): ModelChoice;
  /** A model by its name, under this configuration, with another effort where one is given. @throws AppError */
  named(name: string, effort?: Effort): ModelSettings;
  /** @throws AppError when its provider cannot be asked from here */
  requireProvider(model: ModelSettings): void;
  /** The personas of these names, and those that come with them; without names those that the configuration chooses. @throws AppError */
  personas(names?: readonly string[]): readonly PersonaProfile[];
  /** Everything else. */
  withModel(choice: ModelChoice): SessionConfig;
}

export function sessionSettings(source: SettingsSource): SessionSettings {
  return {
    ofNew: () => checked(source, withPersonas(source.withModel(source.choose()), source.personas())),
    ofResumed(own) {
      const { value: models, problem } = tried<ModelChoice>(own, () => modelsOf(source, own));
      const personas = tried(own.personas ?? [], () => personasOf(source, own));
      const here = source.withModel(models);
      const config = {
        ...here,
        ...(isGiven(source, "permissions.mode") ? {} : { mode: own.mode }),
        ...(isGiven(source, "tools.strategy") ? {} : { strategy: own.strategy }),
        limits: limitsOf(source, own.limits, here.limits),
      };
      // What was said for this run was said to the session that the agent works for.
      const { mode, strategy, limits, agent } = own;
      const said = agent === undefined ? config : asAgent({ ...config, mode, strategy, limits }, agent);
      const held = withPersonas(said, personas.value);
      return { config: held, lack: problem ?? personas.problem ?? problemOf(() => checked(source, held)) };
    },
    patched: (own, patch) => patched(source, own, patch),
    modelNamed(name) {
      const model = source.named(name);
      source.requireProvider(model);
      return model;
    },
    lack: (own) => problemOf(() => checked(source, own)),
  };
}

/** What is chosen for this run; the session's own where it cannot be chosen. */
function tried<T>(own: T, choose: () => T): { readonly value: T; readonly problem: AppError | null } {
  let value = own;
  const problem = problemOf(() => {
    value = choose();
  });
  return { value, problem };
}

function withPersonas(config: SessionConfig, personas: readonly PersonaProfile[]): SessionConfig {
  return personas.length === 0 ? config : { ...config, personas };
}

/** What was said for this run was said to the session that an agent works for. */
function personasOf(source: SettingsSource, { agent, personas = [] }: SessionConfig): readonly PersonaProfile[] {
  return agent === undefined && isGiven(source, "app.personas") ? source.personas() : personas;
}

/** What is expected to go wrong, as a value. */
function problemOf(act: () => unknown): AppError | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function patched(source: SettingsSource, own: SessionConfig, patch: SettingsPatch): ChangedSettings {
  const { mode, strategy, limits, personas } = patch;
  if (mode !== undefined) refuseLocked(source, "permissions.mode");
  if (personas !== undefined) refuseLocked(source, "app.personas");
  const model = patchedModel(source, own, patch);
  const changed = {
    ...(mode === undefined ? {} : { mode }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(limits === undefined ? {} : { limits }),
    ...(model === undefined ? {} : { model }),
    ...(personas === undefined ? {} : { personas: source.personas(personas) }),
  };
  checked(source, { ...own, ...changed, limits: { ...own.limits, ...limits } });
  return changed;
}

/** Another effort makes the same model another one. */
function patchedModel(
  source: SettingsSource,
  own: SessionConfig,
  { model, effort }: SettingsPatch,
): ModelSettings | undefined {
  if (effort === undefined) return model === undefined ? undefined : source.named(model);
  refuseLocked(source, "app.effort");
  const name = model ?? `${own.model.provider}/${own.model.id}`;
  if (effort === "default") return source.named(name);
  const level = effortLevels.find((known) => known === effort);
  if (level !== undefined) return source.named(name, level);
  throw new AppError("usage.invalid", `there is no effort ${JSON.stringify(effort)}`, {
    hint: `The levels are ${effortLevels.join(", ")}, and default.`,
  });
}

function refuseLocked({ loaded }: SettingsSource, key: string): void {
  if (loaded.keys.get(key)?.locked === undefined) return;
  throw new AppError("config.invalid", `${key} is locked by whoever manages this machine`, {
    hint: "`capstan config explain` says where.",
  });
}

/** Said for this run, or locked by whoever manages the machine. */
function isGiven({ loaded: { origins, keys } }: SettingsSource, key: string): boolean {
  return origins.get(key)?.layer === "flag" || keys.get(key)?.locked !== undefined;
}

/** Keys that say how a model is asked. */
const modelOptions = /^(?:anthropic|openai|google|models|providers|app\.(?:max_output_tokens|effort))\b/;

function modelsOf(source: SettingsSource, own: SessionConfig): ModelChoice {
  if (isGiven(source, "app.model") || isGiven(source, "app.provider")) return source.choose();
  const hasOptions = [...source.loaded.origins].some(([key, { layer }]) => layer === "flag" && modelOptions.test(key));
  const { provider, id } = own.model;
  const model = hasOptions ? source.named(`${provider}/${id}`) : own.model;
  return { model, fallbacks: isGiven(source, "app.model_fallbacks") ? source.choose().fallbacks : own.fallbacks };
}

/** Each limit with the key that sets it. */
const limitKeys: Readonly<Record<keyof TurnLimits, string>> = {
  maxToolCallsPerBatch: "tools.max_tool_calls_per_batch",
  maxToolIterationsPerTurn: "tools.max_tool_iterations_per_user_turn",
  maxModelCallsPerTurn: "limits.max_model_calls_per_turn",
  maxCostUsd: "limits.max_cost_usd",
  maxTokensPerTurn: "limits.max_tokens_per_turn",
  maxTurnDurationMs: "limits.max_turn_seconds",
  maxToolArgumentsBytes: "tools.max_tool_args_bytes",
  maxIdenticalCalls: "tools.max_identical_calls",
  maxParallelReads: "tools.max_parallel_reads",
  maxBytesWrittenPerTurn: "limits.max_bytes_written_per_turn",
  maxFilesWrittenPerTurn: "limits.max_files_written_per_turn",
};

/** What was said for this run of the settings that a client may change. */
export function givenSettings({
  loaded,
}: {
  readonly loaded: Pick<LoadedConfig, "origins" | "values">;
}): SettingsPatch {
  const { app, permissions, tools } = loaded.values;
  const isFlag = (key: string): boolean => loaded.origins.get(key)?.layer === "flag";
  const given = Object.entries(limitKeys).flatMap(([limit, key]) => (isFlag(key) ? [limit] : []));
  const limits = Object.fromEntries(
    Object.entries(turnLimits(loaded.values)).filter(([limit]) => given.includes(limit)),
  );
  return {
    ...(isFlag("app.model") && app.model !== null ? { model: app.model } : {}),
    ...(isFlag("permissions.mode") ? { mode: permissions.mode } : {}),
    ...(isFlag("tools.strategy") ? { strategy: tools.strategy } : {}),
    ...(given.length === 0 ? {} : { limits }),
    ...(isFlag("app.personas") ? { personas: app.personas } : {}),
  };
}

/** The keys that were set for this run. */
export function givenKeys({ loaded }: { readonly loaded: Pick<LoadedConfig, "origins"> }): readonly string[] {
  return [...loaded.origins].flatMap(([key, { layer }]) => (layer === "flag" ? [key] : []));
}

function limitsOf(source: SettingsSource, own: TurnLimits, here: TurnLimits): TurnLimits {
  const given = Object.entries(limitKeys).flatMap(([limit, key]) => (isGiven(source, key) ? [limit] : []));
  const changed = Object.entries(here).filter(([limit]) => given.includes(limit));
  return { ...own, ...Object.fromEntries(changed) };
}

function checked(source: SettingsSource, config: SessionConfig): SessionConfig {
  source.requireProvider(config.model);
  // A budget that nobody can keep is refused, not ignored.
  for (const { prices, provider, id } of config.limits.maxCostUsd === null ? [] : [config.model, ...config.fallbacks]) {
    if (prices !== undefined) continue;
    const name = `${provider}/${id}`;
    throw new AppError("config.invalid", `limits.max_cost_usd is set, but the prices of ${name} are not known`, {
      hint: `Set price_input and price_output in [models."${name}"], or leave the budget out.`,
    });
  }
  return config;
}
