import { chmodSync, writeFileSync } from "node:fs";
import {
  checkSettings,
  dataDirectory,
  describeOrigin,
  prepareDataDirectory,
  configJsonSchema,
  configTemplate,
  explainKey,
  maskSecrets,
} from "@capstan/host";
import { AppError, messageOf } from "@capstan/protocol";
import { type SettingsFlags, settingsFromFlags, warningsOf } from "../command-line/settings-flags.ts";

interface ShowFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** `capstan config show [KEY]`: every key with its value and where it came from, or one key explained. Secrets are masked. */
export async function showConfig(key: string | undefined, flags: ShowFlags): Promise<number> {
  if (key !== undefined) return explainConfig(key, flags);
  const settings = await settingsFromFlags(flags);
  const { loaded } = settings;
  for (const warning of warningsOf(settings)) process.stderr.write(`capstan: ${warning}\n`);
  if (flags.json === true) {
    print(JSON.stringify(maskSecrets(loaded.values), null, 2));
    return 0;
  }
  for (const name of loaded.keys.keys()) {
    const { value, origin, locked } = explainKey(loaded, name);
    const notes = [
      ...(origin.layer === "default" ? [] : [describeOrigin(origin)]),
      ...(locked === undefined ? [] : [`locked by ${describeOrigin(locked)}`]),
    ];
    print(`${name} = ${JSON.stringify(value)}${notes.length === 0 ? "" : `   # ${notes.join("; ")}`}`);
  }
  return 0;
}

/** `capstan config explain KEY`: which layer set it, and what the others said. */
export async function explainConfig(key: string, flags: ShowFlags): Promise<number> {
  const settings = await settingsFromFlags(flags);
  for (const warning of warningsOf(settings)) process.stderr.write(`capstan: ${warning}\n`);
  const { loaded } = settings;
  const explained = explainKey(loaded, key);
  if (flags.json === true) {
    print(JSON.stringify(explained, null, 2));
    return 0;
  }
  for (const line of explainedLines(explained)) print(line);
  return 0;
}

/** What a key is for, what it accepts, and what each layer said about it. */
export function explainedLines(explained: ReturnType<typeof explainKey>): readonly string[] {
  const { key, value, about, accepts, locked, joins, layers } = explained;
  return [
    `${key} = ${JSON.stringify(value)}`,
    `  ${about}`,
    `  accepts: ${accepts}`,
    ...(locked === undefined ? [] : [`  locked by ${describeOrigin(locked)}: no other layer changes it`]),
    joins ? "  set by (the lists of all layers are joined):" : "  set by (the last one counts):",
    ...layers.map((layer) => `    ${describeOrigin(layer.origin)}: ${JSON.stringify(layer.value)}`),
  ];
}

/** `capstan config validate`: loads everything as a run would, and says what was read. */
export async function validateConfig(flags: ShowFlags): Promise<number> {
  const settings = await settingsFromFlags(flags);
  checkSettings(settings);
  const { loaded } = settings;
  for (const warning of warningsOf(settings)) print(`warning: ${warning}`);
  print(
    loaded.files.length === 0 ? "No configuration files; the defaults are valid." : `Valid: ${loaded.files.join(", ")}`,
  );
  return 0;
}

/** `capstan config init`: a commented configuration with every key and its default. */
export async function initConfig(): Promise<number> {
  const { configFile: file } = await prepareDataDirectory(dataDirectory(process.env));
  try {
    writeFileSync(file, configTemplate(), { mode: 0o600, flag: "wx" });
    chmodSync(file, 0o600);
  } catch (error) {
    if (isExisting(error)) {
      throw new AppError("usage.invalid", `${file} exists already`, {
        cause: error,
        hint: "It was not touched. `capstan config show` prints what it says.",
      });
    }
    throw new AppError("storage.unavailable", `${file} cannot be written: ${messageOf(error)}`, {
      cause: error,
      hint: "Check the permissions, or set CAPSTAN_HOME.",
    });
  }
  print(`Wrote ${file}`);
  return 0;
}

/** `capstan config schema`: the JSON Schema of the file, for editors. */
export function printConfigSchema(): number {
  print(JSON.stringify(configJsonSchema(), null, 2));
  return 0;
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
