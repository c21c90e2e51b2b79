import type { Policy, Workspace } from "@capstan/protocol";
import { loadConfig, type LoadedConfig } from "./config/load-config.ts";
import { type ManagedPlace, usualManagedPlace } from "./config/managed-layer.ts";
import type { ProjectConsent } from "./config/project-layer.ts";
import type { FlagSetting } from "./config/text-settings.ts";
import { dataDirectory } from "./data-dir.ts";
import { openWorkspace } from "./open-workspace.ts";
import { expiredRules, withPolicyFiles } from "./policy/apply-policy-files.ts";
import { policyFromConfig } from "./policy/policy-from-config.ts";
import type { PolicyFile, ReadPolicyText } from "./policy/policy-file.ts";
import type { PolicyFilesPlace } from "./policy/read-policy-files.ts";

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

/** What others decide or read for the settings. */
export interface SettingsSources {
  /** Which files of the project count, by the user's own configuration; `undefined`: none of them is opened. */
  readonly consent: (own: LoadedConfig, home: string) => Promise<ProjectConsent | undefined>;
  /** Reads a policy file in YAML. */
  readonly readYamlPolicy: ReadPolicyText;
}

/** Configuration, workspace and rules, before anything is opened or made. */
export interface Settings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly loaded: LoadedConfig;
  readonly workspace: Workspace;
  readonly policy: Policy;
  /** The policy files that were read. */
  readonly policyFiles: readonly string[];
}

/**
 * Decides what counts, in this order: the user's own configuration, then whether the project may speak, and only then
 * what the project says.
 * @throws AppError `config.*`, `usage.workspace-missing`
 */
export async function loadSettings(options: SettingsOptions, sources: SettingsSources): Promise<Settings> {
  const { env, addDirectories, yolo } = options;
  const home = dataDirectory(env);
  // The directory is checked first: configuration is looked for in it.
  const { cwd } = await openWorkspace(options.cwd, []);
  const own = await loadConfig({ ...options, cwd, home });
  const project = await sources.consent(own, home);
  const configured = project === undefined ? own : await loadConfig({ ...options, cwd, home, project });
  const managedOwner = (options.managed ?? usualManagedPlace).owner;
  const files = await policyFilesOf(configured, { cwd, managedOwner, readYaml: sources.readYamlPolicy });
  const policy = policyFromConfig(configured, yolo, files);
  const merged = withPolicyFiles(configured, files);
  const loaded = { ...merged, warnings: [...merged.warnings, ...expiredRules(policy.rules, Date.now())] };
  const workspace = await openWorkspace(cwd, [...loaded.values.tools.sandbox.allowed_roots, ...addDirectories]);
  return { env, home, loaded, workspace, policy, policyFiles: files.map(({ file }) => file) };
}

/** What reads them is loaded only where there are some. */
async function policyFilesOf(loaded: LoadedConfig, place: PolicyFilesPlace): Promise<readonly PolicyFile[]> {
  const layers = loaded.keys.get("permissions.policy_files")?.layers ?? [];
  if (layers.every(({ value }) => !Array.isArray(value) || value.length === 0)) return [];
  return await (await import("./policy/read-policy-files.ts")).readPolicyFiles(loaded, place);
}
