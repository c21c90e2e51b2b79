import type { JsonValue } from "@capstan/protocol";
import { type ConfigOrigin, placeOf } from "./config-origin.ts";
import { type Environment } from "./files/expand-variables.ts";
import { parseToml } from "./files/read-document.ts";
import { configKeys } from "./keys/config-keys.ts";
import type { ConfigType } from "./keys/config-key.ts";
import { type ConfigSegments, parsePath } from "./keys/config-path.ts";
import { nodeAt } from "./keys/key-tree.ts";
import { quoteName } from "./quote.ts";
import { type ReadSettings, readSettings } from "./read-settings.ts";

/** A flag of the command line that stands for a key: `-m` for `app.model`. */
export interface FlagSetting {
  readonly key: string;
  /** `null` makes a key that has no default unset again. */
  readonly value: JsonValue;
  readonly flag: string;
}

/** What environment variables set. An empty variable sets nothing. */
export async function environmentSettings(environment: Environment): Promise<ReadSettings> {
  const read: Promise<ReadSettings>[] = [];
  for (const [path, key] of Object.entries(configKeys)) {
    const variable = key.environment?.find((name) => (environment[name] ?? "") !== "");
    if (variable === undefined) continue;
    const text = environment[variable] ?? "";
    read.push(settingFromText(path.split("."), text, { layer: "environment", variable }));
  }
  return joined(await Promise.all(read));
}

/** What `--set KEY=VALUE` sets. The value is written as in the file; a string needs no quotes. */
export async function setFlagSettings(sets: readonly string[]): Promise<ReadSettings> {
  return joined(await Promise.all(sets.map(setFlagSetting)));
}

async function setFlagSetting(set: string): Promise<ReadSettings> {
  const origin: ConfigOrigin = { layer: "flag", flag: "--set" };
  const [, written = "", text] = /^((?:[^="']|"[^"]*"|'[^']*')*)=([^]*)$/.exec(set) ?? [];
  const segments = parsePath(written);
  if (segments !== undefined && text !== undefined) return settingFromText(segments, text, origin);
  // The text may be a key somebody pasted here: only what stands before `=` is repeated.
  const shown = text === undefined ? "" : `, found ${quoteName(written)}=…`;
  return { settings: [], misplaced: [`${placeOf(origin)}: expected KEY=VALUE${shown}`] };
}

/** What flags of their own name set. */
export function flagSettings(flags: readonly FlagSetting[]): ReadSettings {
  return joined(
    flags.map(({ key, value, flag }): ReadSettings => {
      const segments = parsePath(key) ?? [key];
      return readSettings(nested(segments, value), () => ({ layer: "flag", flag }));
    }),
  );
}

/** A value that was written as a text, as in the file or as a bare string. */
export async function settingFromText(
  segments: ConfigSegments,
  text: string,
  origin: ConfigOrigin,
): Promise<ReadSettings> {
  const node = nodeAt(segments);
  const value = await valueFromText(node?.type === "key" ? node.key.type : undefined, text);
  return readSettings(nested(segments, value), () => origin);
}

/** The value a text means for a type. What does not fit stays a string, and the check of the key then says so. */
async function valueFromText(type: ConfigType | undefined, text: string): Promise<unknown> {
  const trimmed = text.trim();
  switch (type?.type) {
    case "string":
    case "url":
    case "choice":
      return /^["']/.test(trimmed) ? tomlValue(text) : text;
    case "boolean":
      return booleanWords.get(trimmed) ?? text;
    case "integer":
    case "number":
      return /^[+-]?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed.replaceAll("_", "")) : text;
    case "string-list":
    case "table-list":
    case "rule-list":
    case "hook-list":
    case "open-table":
    case undefined:
      return tomlValue(text);
  }
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

async function tomlValue(text: string): Promise<unknown> {
  const parsed = await parseToml(`value = ${text.trim()}`);
  if (parsed.type === "failed" || Object.keys(parsed.values).length !== 1) return text;
  return parsed.values["value"];
}

function nested(segments: ConfigSegments, value: unknown): Readonly<Record<string, unknown>> {
  const [name = "", ...rest] = segments;
  return Object.fromEntries([[name, rest.length === 0 ? value : nested(rest, value)]]);
}

function joined(parts: readonly ReadSettings[]): ReadSettings {
  return { settings: parts.flatMap((part) => part.settings), misplaced: parts.flatMap((part) => part.misplaced) };
}
