import { AppError, messageOf } from "@capstan/protocol";
import { withTrustedPath } from "@capstan/tools";
import { providersWithKeys } from "@capstan/catalog";
import { dataDirectory } from "@capstan/settings";
import type { Settings } from "../load-settings.ts";
import type { Check } from "@capstan/protocol";
import { bad, good } from "@capstan/doctor";
import { checkDataDirectory } from "./check-data-directory.ts";
import { checkProgram, checkSearch, type NeededProgram } from "./check-programs.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { minNodeMajor } from "../limits.ts";

const neededPrograms: readonly NeededProgram[] = [
  {
    name: "git",
    words: ["git", "--version"],
    advice: "Install git: repositories are looked at, and files kept for undoing, with it.",
  },
  { name: "shell", words: ["/bin/sh", "-c", "echo available"], advice: "Commands cannot run without /bin/sh." },
];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Looks the installation over, as far as sessions need it. Nothing is changed but that a missing data directory is made.
 * @param load  reads the configuration as a run would
 */
export async function checkInstallation(env: Environment, load: () => Promise<Settings>): Promise<readonly Check[]> {
  const configuration = await checkConfiguration(load);
  const settings = "settings" in configuration ? configuration.settings : undefined;
  const open = settings?.workspace.roots ?? [process.cwd()];
  const { PATH: searchPath = "" } = withTrustedPath({ PATH: env["PATH"] ?? "" }, open);
  return [
    checkNode(),
    ...(await Promise.all(neededPrograms.map((program) => checkProgram(program, searchPath)))),
    await checkSearch(searchPath),
    ...(settings === undefined ? [] : [await checkSandbox(settings)]),
    configuration.check,
    ...(settings === undefined ? [] : checkKeys(settings)),
    ...(await checkDataDirectory(settings?.home ?? dataDirectory(env))),
  ];
}

function checkNode(): Check {
  const major = Number(process.versions.node.split(".")[0]);
  const text = `${process.version} on ${process.platform}-${process.arch}`;
  return major >= minNodeMajor
    ? good("Node", text)
    : bad("Node", text, `Capstan needs Node ${minNodeMajor} or later; install a newer one.`);
}

async function checkConfiguration(
  load: () => Promise<Settings>,
): Promise<{ readonly check: Check; readonly settings: Settings } | { readonly check: Check }> {
  try {
    const settings = await load();
    const { files, warnings } = settings.loaded;
    const read = files.length === 0 ? "no files, the defaults hold" : `valid: ${files.join(", ")}`;
    return { settings, check: good("configuration", [read, ...warnings].join("; ")) };
  } catch (error) {
    const advice = error instanceof AppError ? error.hint : undefined;
    return { check: bad("configuration", messageOf(error), advice ?? "Correct what the message names.") };
  }
}

/** Names only: a key is shown nowhere. */
function checkKeys({ loaded, env }: Settings): readonly Check[] {
  const own = Object.entries(loaded.values.providers).flatMap(([name, provider]) =>
    provider.api_key !== null || !provider.requires_key ? [name] : [],
  );
  const names = [...new Set([...own, ...providersWithKeys(loaded.values, env)])];
  if (names.length > 0) return [good("keys", `set for ${names.join(", ")}`)];
  const advice = "Set a provider's key, for example ANTHROPIC_API_KEY; `capstan models` lists what can be reached.";
  return [bad("keys", "none is set", advice)];
}
