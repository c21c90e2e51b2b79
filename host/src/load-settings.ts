import {
  loadSettings as loadPlainSettings,
  type Settings as PlainSettings,
  type SettingsOptions as PlainSettingsOptions,
} from "@capstan/settings";
import { decideTrust, isApproved, type TrustAnswer, type TrustQuestion, type WorkspaceTrust } from "@capstan/trust";
import { readYamlPolicy } from "./policy-files.ts";

export interface SettingsOptions extends PlainSettingsOptions {
  /** `--trust`: what the workspace brings along counts for this run. */
  readonly trustOnce?: boolean;
  /** Asks a user whether they trust the workspace; without it nobody is asked. */
  readonly askTrust?: (question: TrustQuestion) => Promise<TrustAnswer>;
}

/** The settings, and whether what the workspace brings along counts. */
export interface Settings extends PlainSettings {
  readonly trust: WorkspaceTrust;
}

/**
 * Decides what counts: what a project says only where the user trusts it.
 * @throws AppError `config.*`, `usage.workspace-missing`
 */
export async function loadSettings(options: SettingsOptions): Promise<Settings> {
  let decided: WorkspaceTrust | undefined;
  const settings = await loadPlainSettings(options.safeMode ? withoutPlugins(options) : options, {
    consent: async ({ values }, home) => {
      const trust = await decideTrust({
        cwd: options.cwd,
        home,
        instructionFiles: values.context.instruction_files,
        once: options.trustOnce === true,
        ...(options.askTrust === undefined ? {} : { ask: options.askTrust }),
        now: Date.now,
      });
      decided = trust;
      return hasConfiguration(trust) ? (file, sha256) => isApproved(trust, file, sha256) : undefined;
    },
    readYamlPolicy,
  });
  if (decided === undefined) throw new Error("the settings were loaded without a word about trust");
  return { ...settings, trust: options.safeMode ? withoutPrograms(decided) : decided };
}

/** Files that are refused are looked at, too: whoever reads them says why they do not count. */
function hasConfiguration({ trusted, places }: WorkspaceTrust): boolean {
  return trusted && places.some((place) => place.class === "configuration");
}

/** In safe mode no plugin of the user's runs. */
function withoutPlugins(options: SettingsOptions): SettingsOptions {
  return { ...options, flags: [...options.flags, { flag: "safe-mode", key: "plugins.enabled", value: false }] };
}

/** In safe mode the user's own servers and hooks do not count, and the workspace's do not either. */
function withoutPrograms(trust: WorkspaceTrust): WorkspaceTrust {
  const names = ["mcp-servers", "hooks"];
  const left = new Set(trust.places.flatMap((place) => (names.includes(place.class) ? [place.path] : [])));
  return { ...trust, approved: new Map([...trust.approved].filter(([file]) => !left.has(file))) };
}
