import { join } from "node:path";
import { nameProblems } from "./check-names.ts";
import { addRead, type ConfigDraft } from "./config-draft.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import { problemError } from "./config-problem.ts";
import type { Environment } from "./files/expand-variables.ts";
import type { CapstanConfig } from "./keys/capstan-config.ts";
import { LayerStack, type SettledKey } from "./layer-stack.ts";
import { addManagedFiles, type ManagedPlace, usualManagedPlace } from "./managed-layer.ts";
import { addProjectFiles, type ProjectConsent } from "./project-layer.ts";
import { environmentSettings, type FlagSetting, flagSettings, setFlagSettings } from "./text-settings.ts";
import { addUserFile } from "./user-layer.ts";

export interface LoadConfigOptions {
  /** The data directory, where the user's `config.toml` lies. */
  readonly home: string;
  readonly cwd: string;
  readonly env: Environment;
  /** Read in place of the user's `config.toml`; must exist. */
  readonly configFile?: string;
  /** `KEY=VALUE`, the value as in the file or as a bare string. */
  readonly sets: readonly string[];
  /** Flags of their own name; they win over `sets`. */
  readonly flags: readonly FlagSetting[];
  /** A table `[presets.NAME]` of the user's file. */
  readonly preset?: string;
  /** Reads no file but those of the managed layer. */
  readonly safeMode: boolean;
  /** Which files of the project count; without it none is opened. */
  readonly project?: ProjectConsent;
  /** `/etc/capstan` when left out. */
  readonly managed?: ManagedPlace;
}

export interface LoadedConfig {
  readonly values: CapstanConfig;
  /** The highest layer that set each key, by written path (`tools.output.max_bytes`, `models."a/b".price_input`). */
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
  /** Every key with its value and what each layer said; rules take their source from here. */
  readonly keys: ReadonlyMap<string, SettledKey>;
  /** Sentences for the user: what was ignored, and why. */
  readonly warnings: readonly string[];
  /** Files that were read, in the order they count. */
  readonly files: readonly string[];
}

/**
 * Reads the configuration: defaults < the managed files (but what they lock is final) < the user's file < its preset < the
 * project's files < environment < flags. Lists of rules and of what is forbidden add up; of everything else the highest layer
 * wins. A project may only restrict, and only where it is trusted.
 * @throws AppError `config.unreadable`, `config.syntax`, `config.invalid`, `config.variable-missing`
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const draft: ConfigDraft = { stack: new LayerStack(), problems: [], warnings: [], files: [] };
  await addManagedFiles(draft, options.managed ?? usualManagedPlace, options.env);
  if (options.safeMode) {
    draft.warnings.push("safe mode: no configuration file is read");
  } else {
    await addUserFile(draft, {
      file: options.configFile ?? join(options.home, "config.toml"),
      required: options.configFile !== undefined,
      preset: options.preset,
      environment: options.env,
    });
    if (options.project !== undefined) await addProjectFiles(draft, options.cwd, options.home, options.project);
  }
  addRead(draft, await environmentSettings(options.env));
  addRead(draft, await setFlagSettings(options.sets));
  addRead(draft, flagSettings(options.flags));
  draft.warnings.push(...draft.stack.refusals);
  if (draft.problems.length > 0) throw problemError(draft.problems);
  const { values, keys } = draft.stack.settle();
  const problems = nameProblems(values, keys);
  if (problems.length > 0) throw problemError(problems);
  const origins = new Map<string, ConfigOrigin>();
  for (const [path, { layers }] of keys) origins.set(path, layers.at(-1)?.origin ?? { layer: "default" });
  return { values, origins, keys, warnings: draft.warnings, files: draft.files };
}

/** Whether flags say what their keys accept; no file is read. @throws AppError `config.invalid` */
export function checkFlags(flags: readonly FlagSetting[]): void {
  const draft: ConfigDraft = { stack: new LayerStack(), problems: [], warnings: [], files: [] };
  addRead(draft, flagSettings(flags));
  if (draft.problems.length > 0) throw problemError(draft.problems);
}
