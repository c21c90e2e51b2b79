import type { Policy, Workspace } from "@capstan/protocol";
import type { FlagSetting } from "./config/text-settings.ts";
import { loadConfig, type LoadedConfig } from "./config/load-config.ts";
import { dataDirectory } from "./data-dir.ts";
import { openWorkspace } from "./session/open-workspace.ts";
import { policyFromConfig } from "./session/policy-from-config.ts";

/** What a command line says about the configuration. */
export interface SettingsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly configFile?: string;
  readonly sets: readonly string[];
  readonly flags: readonly FlagSetting[];
  readonly preset?: string;
  readonly safeMode: boolean;
  readonly addDirectories: readonly string[];
  readonly yolo: boolean;
}

/** Configuration, workspace and rules, before anything is opened or made. */
export interface Settings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly loaded: LoadedConfig;
  readonly workspace: Workspace;
  readonly policy: Policy;
}

/** @throws AppError `config.*`, `usage.workspace-missing` */
export async function loadSettings(options: SettingsOptions): Promise<Settings> {
  const { env, addDirectories, yolo } = options;
  const home = dataDirectory(env);
  // The directory is checked first: configuration is looked for in it.
  const { cwd } = await openWorkspace(options.cwd, []);
  const loaded = await loadConfig({ ...options, cwd, home });
  const workspace = await openWorkspace(cwd, [...loaded.values.tools.sandbox.allowed_roots, ...addDirectories]);
  return { env, home, loaded, workspace, policy: policyFromConfig(loaded, yolo) };
}
