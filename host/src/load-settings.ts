import type { Policy, Workspace } from "@capstan/protocol";
import type { FlagSetting } from "./config/text-settings.ts";
import { loadConfig, type LoadedConfig } from "./config/load-config.ts";
import { type ManagedPlace, usualManagedPlace } from "./config/managed-layer.ts";
import { dataDirectory } from "./data-dir.ts";
import { expiredRules, withPolicyFiles } from "./policy/apply-policy-files.ts";
import { readPolicyFiles } from "./policy/read-policy-files.ts";
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
  /** `/etc/capstan` when left out. */
  readonly managed?: ManagedPlace;
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
  const configured = await loadConfig({ ...options, cwd, home });
  const managedOwner = (options.managed ?? usualManagedPlace).owner;
  const files = await readPolicyFiles(configured, { cwd, managedOwner });
  const policy = policyFromConfig(configured, yolo, files);
  const heard = withPolicyFiles(configured, files);
  const loaded = { ...heard, warnings: [...heard.warnings, ...expiredRules(policy.rules, Date.now())] };
  const workspace = await openWorkspace(cwd, [...loaded.values.tools.sandbox.allowed_roots, ...addDirectories]);
  return { env, home, loaded, workspace, policy };
}
