import type { Policy, Workspace } from "@capstan/protocol";
import type { FlagSetting } from "./config/text-settings.ts";
import { loadConfig, type LoadedConfig } from "./config/load-config.ts";
import { type ManagedPlace, usualManagedPlace } from "./config/managed-layer.ts";
import { dataDirectory } from "./data-dir.ts";
import { expiredRules, withPolicyFiles } from "./policy/apply-policy-files.ts";
import { readPolicyFiles } from "./policy/read-policy-files.ts";
import { openWorkspace } from "./session/open-workspace.ts";
import { policyFromConfig } from "./session/policy-from-config.ts";
import { systemClock } from "./system/system-clock.ts";
import { decideTrust } from "./trust/decide-trust.ts";
import { isApproved, type TrustAnswer, type TrustQuestion, type WorkspaceTrust } from "./trust/workspace-trust.ts";

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
  /** `--trust`: what the workspace brings along counts for this run. */
  readonly trustOnce?: boolean;
  /** Asks a person whether they trust the workspace; without it nobody is asked. */
  readonly askTrust?: (question: TrustQuestion) => Promise<TrustAnswer>;
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
  readonly trust: WorkspaceTrust;
}

/**
 * Decides what counts, in this order: the person's own configuration, then whether the workspace is trusted, and only then
 * what the workspace says.
 * @throws AppError `config.*`, `usage.workspace-missing`
 */
export async function loadSettings(options: SettingsOptions): Promise<Settings> {
  const { env, addDirectories, yolo } = options;
  const home = dataDirectory(env);
  // The directory is checked first: configuration is looked for in it.
  const { cwd } = await openWorkspace(options.cwd, []);
  const own = await loadConfig({ ...options, cwd, home });
  const trust = await decideTrust({
    cwd: options.cwd,
    home,
    instructionFiles: own.values.context.instruction_files,
    once: options.trustOnce === true,
    ...(options.askTrust === undefined ? {} : { ask: options.askTrust }),
    now: () => systemClock.now(),
  });
  const configured = hasConfiguration(trust)
    ? await loadConfig({ ...options, cwd, home, project: (file, sha256) => isApproved(trust, file, sha256) })
    : own;
  const managedOwner = (options.managed ?? usualManagedPlace).owner;
  const files = await readPolicyFiles(configured, { cwd, managedOwner });
  const policy = policyFromConfig(configured, yolo, files);
  const heard = withPolicyFiles(configured, files);
  const loaded = { ...heard, warnings: [...heard.warnings, ...expiredRules(policy.rules, systemClock.now())] };
  const workspace = await openWorkspace(cwd, [...loaded.values.tools.sandbox.allowed_roots, ...addDirectories]);
  return { env, home, loaded, workspace, policy, trust };
}

/** Files that are refused are looked at, too: whoever reads them says why they do not count. */
function hasConfiguration({ trusted, places }: WorkspaceTrust): boolean {
  return trusted && places.some((place) => place.class === "configuration");
}
