import { resolve } from "node:path";
import {
  dataDirectory,
  describeOrigin,
  explainKey,
  prepareDataDirectory,
  setValue,
  type Settings,
  unsetValue,
  type ValueChange,
} from "@capstan/host";
import { AppError, type JsonValue } from "@capstan/protocol";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { visibleText } from "../visible-text.ts";

interface ChangeFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** `capstan config set KEY VALUE`: in the user's file, and what counts from then on. */
export async function setConfig(key: string, value: string, flags: ChangeFlags): Promise<number> {
  return await change(await setValue(key, value, process.env), flags);
}

/** `capstan config unset KEY`: exit code 1 when the user's file did not set it. */
export async function unsetConfig(key: string, flags: ChangeFlags): Promise<number> {
  return await change(unsetValue(key), flags);
}

async function change(changed: ValueChange, flags: ChangeFlags): Promise<number> {
  const file = await userFile(flags.config);
  const isChanged = await changed.write(file);
  const loaded = await settingsFromFlags(flags).catch(knownProblem);
  const value = "loaded" in loaded ? explainKey(loaded.loaded, changed.key) : null;
  if (flags.json === true) {
    const counts = value === null ? null : { value: value.value, from: describeOrigin(value.origin) };
    print(JSON.stringify({ key: changed.path, value: changed.value, file, changed: isChanged, counts }));
  } else {
    for (const line of changeLines(changed, { file, isChanged })) print(visibleText(line));
    const note =
      "loaded" in loaded
        ? overruledText(changed, loaded, file)
        : `It is read once this is corrected: ${loaded.message}`;
    if (note !== null) print(visibleText(note));
  }
  return isChanged ? 0 : 1;
}

/** What was done, in lines. */
export function changeLines(
  { path, value }: Pick<ValueChange, "path" | "value">,
  { file, isChanged }: { readonly file: string; readonly isChanged: boolean },
): readonly string[] {
  if (value !== null) return [`Set ${path} = ${shown(value)} in ${file}`];
  return [isChanged ? `Took ${path} out of ${file}` : `${file} does not set ${path}.`];
}

/** That something stronger than the user's file decides; `null`: it does not. */
export function overruledText(
  { key, value }: Pick<ValueChange, "key" | "value">,
  { loaded }: Pick<Settings, "loaded">,
  file: string,
): string | null {
  const { value: counting, origin, locked, joins } = explainKey(loaded, key);
  if (locked !== undefined) return `It does not count: ${key} is locked by ${describeOrigin(locked)}.`;
  const isOurs = origin.layer === "user" && origin.preset === undefined && origin.file === file;
  if (isOurs || joins || (value === null && origin.layer === "default")) return null;
  return `What counts here is ${describeOrigin(origin)}: ${shown(counting)}`;
}

/** The file that is the user's own: `--config` names another one. */
export async function userFile(named: string | undefined): Promise<string> {
  const { configFile } = await prepareDataDirectory(dataDirectory(process.env));
  return named === undefined ? configFile : resolve(named);
}

function knownProblem(error: unknown): AppError {
  if (error instanceof AppError && error.code.startsWith("config.")) return error;
  throw error;
}

function shown(value: JsonValue): string {
  return JSON.stringify(value);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
