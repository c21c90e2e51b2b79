import { AppError, isJsonObject } from "@capstan/protocol";
import { type ConfigDraft, addRead, checkedValue, isWithoutEffect } from "./config-draft.ts";
import { type ConfigOrigin, placeOf } from "./config-origin.ts";
import { maxValueDepth } from "./config-limits.ts";
import { type Environment, type Expanded, expandVariables } from "./files/expand-variables.ts";
import { readUserFile } from "./files/read-config-file.ts";
import { type ConfigDocument, readDocument } from "./files/read-document.ts";
import { type ConfigSegments, pathText } from "./keys/config-path.ts";
import { entryLines } from "./entry-lines.ts";
import { didYouMean } from "./nearest-name.ts";
import { quoteName, quotePath } from "./quote.ts";
import { type ReadSettings, readSettings, type Setting } from "./read-settings.ts";

export interface UserFileOptions {
  readonly file: string;
  /** The user named the file: without it nothing starts. */
  readonly required: boolean;
  readonly preset: string | undefined;
  readonly environment: Environment;
}

/** Adds the user's own file and the chosen preset in it. @throws AppError `config.unreadable`, `config.syntax` */
export async function addUserFile(draft: ConfigDraft, options: UserFileOptions): Promise<void> {
  const document = await openUserFile(draft, options);
  const { presets, ...values } = document?.values ?? {};
  if (document !== undefined) addTable(draft, { document, values, at: [], use: "applies" }, options.environment);
  addPresets(draft, document, presets, options);
}

async function openUserFile(
  draft: ConfigDraft,
  { file, required }: UserFileOptions,
): Promise<ConfigDocument | undefined> {
  const read = readUserFile(file);
  if (read.type === "text") {
    draft.files.push(file);
    return readDocument(file, read.text);
  }
  if (read.type === "refused") {
    // Continuing without it could lose what the user forbids.
    throw new AppError("config.unreadable", `${quotePath(file)}: ${read.reason}`, {
      hint: "Another user could decide what runs here. Read the file, then make it yours alone: chmod 600, chown.",
    });
  }
  if (required) {
    throw new AppError("config.unreadable", `${quotePath(file)}: no such file`, {
      hint: "Check the file named with `--config`.",
    });
  }
  return undefined;
}

function addPresets(
  draft: ConfigDraft,
  document: ConfigDocument | undefined,
  presets: unknown,
  { file, preset, environment }: UserFileOptions,
): void {
  const tables = isJsonObject(presets) ? Object.entries(presets) : [];
  if (document !== undefined && presets !== undefined && !isJsonObject(presets)) {
    invalid(draft, { layer: "user", file }, "presets: expected tables [presets.NAME]");
  }
  for (const [name, values] of tables) {
    const at = ["presets", name];
    if (document === undefined) continue;
    if (!isJsonObject(values)) invalid(draft, originIn(document, at), `${quoteName(pathText(at))}: expected a table`);
    else addTable(draft, { document, values, at, use: name === preset ? "applies" : "checked" }, environment);
  }
  const names = tables.map(([name]) => name);
  if (preset === undefined || names.includes(preset)) return;
  const known = names.length === 0 ? "it has none" : `it has ${names.map(quoteName).join(", ")}`;
  const text = `no preset ${quoteName(preset)} in ${quotePath(file)}: ${known}${didYouMean(preset, names)}`;
  invalid(draft, { layer: "flag", flag: "--preset" }, text);
}

interface UserTable {
  readonly document: ConfigDocument;
  readonly values: Readonly<Record<string, unknown>>;
  /** Where in the file the table is. */
  readonly at: ConfigSegments;
  /** `checked`: a preset nobody chose. */
  readonly use: "applies" | "checked";
}

function addTable(draft: ConfigDraft, { document, values, at, use }: UserTable, environment: Environment): void {
  const read: ReadSettings = readSettings(values, (segments) => originIn(document, [...at, ...segments]));
  addRead(draft, { settings: [], misplaced: read.misplaced });
  for (const raw of read.settings) {
    // Variables of a preset nobody chose may be unset, and what they would make of it cannot be known.
    if (use === "checked" && holdsVariable(raw.value, 0)) continue;
    // A line for the shell takes variables there, as values and not as words.
    const isShells = raw.key.type.type === "hook-list";
    const value = isShells ? raw.value : expandValue(draft, raw, environment);
    if (value === undefined) continue;
    const lines = { lineOf: (segments: ConfigSegments) => document.lines.lineOf([...at, ...segments]) };
    const checked = checkedValue(draft, { ...raw, value }, lines);
    if (checked === undefined || use === "checked" || isWithoutEffect(draft, raw)) continue;
    draft.stack.add(raw.segments, raw.key, { value: checked, origin: raw.origin, ...entryLines(raw, checked, lines) });
  }
}

function originIn(document: ConfigDocument, segments: ConfigSegments): ConfigOrigin {
  const line = document.lines.lineOf(segments);
  const [first, preset] = segments;
  return {
    layer: "user",
    file: document.file,
    ...(line === undefined ? {} : { line }),
    ...(first === "presets" && preset !== undefined ? { preset } : {}),
  };
}

/** Checks a value as the user's file would have it; what is wrong is noted in the draft. @returns whether it fits */
export function fitsUserFile(draft: ConfigDraft, setting: Setting, environment: Environment): boolean {
  const value = expandValue(draft, setting, environment);
  return value !== undefined && checkedValue(draft, { ...setting, value }) !== undefined;
}

/** The value with its variables put in; `undefined` when that failed and the problem was noted. */
function expandValue(draft: ConfigDraft, { value, segments, origin }: Setting, environment: Environment): unknown {
  let failed: Exclude<Expanded, { readonly type: "text" }> | undefined;
  const expanded = mapStrings(value, 0, (text) => {
    const result = expandVariables(text, environment);
    if (result.type === "text") return result.text;
    failed ??= result;
    return text;
  });
  if (failed === undefined) return expanded;
  const start = `${placeOf(origin)}: ${quoteName(pathText(segments))}`;
  draft.problems.push(
    failed.type === "missing"
      ? { code: "config.variable-missing", text: `${start}: the variable ${failed.variable} is not set` }
      : { code: "config.invalid", text: `${start}: ${failed.reason}` },
  );
  return undefined;
}

function holdsVariable(value: unknown, depth: number): boolean {
  let found = false;
  mapStrings(value, depth, (text) => {
    found ||= text.includes("${");
    return text;
  });
  return found;
}

/** What is too deep stays as it is: the check refuses it. */
function mapStrings(value: unknown, depth: number, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (depth > maxValueDepth) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, depth + 1, change));
  if (!isJsonObject(value) || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapStrings(item, depth + 1, change)] as const),
  );
}

function invalid(draft: ConfigDraft, origin: ConfigOrigin, text: string): void {
  draft.problems.push({ code: "config.invalid", text: `${placeOf(origin)}: ${text}` });
}
