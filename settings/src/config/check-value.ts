import { isJsonObject, type JsonObject, type JsonValue, unreachable } from "@capstan/protocol";
import { readRuleTable } from "../policy/rule-table.ts";
import { readHookTable } from "./hook-table.ts";
import { maxListEntries, maxValueDepth } from "./config-limits.ts";
import type { ConfigKey, ConfigType } from "./keys/config-key.ts";
import { didYouMean } from "./nearest-name.ts";
import { quote, quoteName } from "./quote.ts";

/** The value in its canonical form, or what was expected and found, as the end of a sentence. */
export type CheckedValue =
  | { readonly type: "fits"; readonly value: JsonValue }
  /** `at`: names and numbers (from 0) of the part that is wrong, under the key. */
  | { readonly type: "wrong"; readonly problem: string; readonly at: readonly string[] };

/** Checks one value, from whatever source, against its key. The value of a secret key is never quoted. */
export function checkValue(key: ConfigKey, value: unknown): CheckedValue {
  const { type } = key;
  // No file can say it; a flag may, to unset what has no default.
  if (value === null && key.default === null) return fits(null);
  switch (type.type) {
    case "string":
      return typeof value === "string" ? fits(value) : mismatch(key, value);
    case "url":
      return typeof value === "string" && isWebAddress(value) ? fits(value) : mismatch(key, value);
    case "integer":
    case "number":
      return isWithin(type, value) ? fits(value) : mismatch(key, value);
    case "boolean":
      return typeof value === "boolean" ? fits(value) : mismatch(key, value);
    case "choice":
      return checkChoice(type, value);
    case "string-list":
      return isStringList(value) && (type.each === undefined || value.every(isPort))
        ? fits(value)
        : mismatch(key, value);
    case "table-list":
      return isTableList(value) ? fits([]) : mismatch(key, value);
    case "rule-list":
      return checkTables(key, value, "rule", readRuleTable);
    case "hook-list":
      return checkTables(key, value, "hook", readHookTable);
    case "open-table": {
      const table = isJsonObject(value) ? plainJson(value, 0) : undefined;
      return isJsonObject(table) ? checkNames(type, table) : mismatch(key, value);
    }
    default:
      return unreachable(type);
  }
}

/** What a key accepts, in words: `an integer from 1 to 100`. */
export function expectation(type: ConfigType): string {
  switch (type.type) {
    case "string":
      return "a string";
    case "url":
      return "an address that begins with http:// or https://";
    case "integer":
      return `an integer from ${type.minimum} to ${type.maximum}`;
    case "number":
      return `a number from ${type.minimum} to ${type.maximum}`;
    case "boolean":
      return "true or false";
    case "choice":
      return `one of ${type.choices.join(", ")}`;
    case "string-list":
      if (type.each === "port") return `a list of ports such as ["443", "8443"], at most ${maxListEntries}`;
      return `a list of strings such as ["one", "two"], none empty, at most ${maxListEntries}`;
    case "table-list":
      return "a list of tables";
    case "hook-list":
      return 'a list of tables such as { matcher = "run_command", command = "check-command" }';
    case "rule-list":
      return 'a list of tables such as { verdict = "deny", tool = "run_command" }';
    case "open-table":
      return "names" in type ? `a table with any of ${type.names.join(", ")}` : "a table of plain values";
    default:
      return unreachable(type);
  }
}

/** Names that mean something to JavaScript objects: never taken for a name the user chooses. */
export function isReservedName(name: string): boolean {
  return name === "__proto__" || name === "constructor" || name === "prototype";
}

function fits(value: JsonValue): CheckedValue {
  return { type: "fits", value };
}

function mismatch(key: ConfigKey, value: unknown): CheckedValue {
  const found = key.secret === undefined ? shown(value) : kindOf(value);
  return { type: "wrong", problem: `expected ${expectation(key.type)}, found ${found}`, at: [] };
}

function isWithin(
  type: { readonly type: "integer" | "number"; readonly minimum: number; readonly maximum: number },
  value: unknown,
): value is number {
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  return value >= type.minimum && value <= type.maximum && (type.type === "number" || Number.isInteger(value));
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^/]/i.test(value) && URL.canParse(value);
}

function checkChoice(type: ConfigType & { readonly type: "choice" }, value: unknown): CheckedValue {
  const word = typeof value === "string" ? value : "";
  const meant = Object.hasOwn(type.aliases, word) ? type.aliases[word] : word;
  if (meant !== undefined && type.choices.includes(meant)) return fits(meant);
  const expected = `expected ${expectation(type)}, found ${shown(value)}`;
  return { type: "wrong", problem: expected + didYouMean(word, type.choices), at: [] };
}

function checkNames(type: ConfigType & { readonly type: "open-table" }, table: JsonObject): CheckedValue {
  const names = Object.keys(table);
  if ("reserved" in type) {
    const taken = names.find((name) => type.reserved.includes(name));
    if (taken === undefined) return fits(table);
    return {
      type: "wrong",
      problem: `${quoteName(taken)} is what Capstan itself fills in, and cannot be set`,
      at: [taken],
    };
  }
  const unknown = names.find((name) => !type.names.includes(name));
  if (unknown === undefined) return fits(table);
  const problem = `unknown option ${quoteName(unknown)}${didYouMean(unknown, type.names)}; ${type.others}`;
  return { type: "wrong", problem, at: [unknown] };
}

function isStringList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > maxListEntries) return false;
  return value.every((entry) => typeof entry === "string" && entry.trim() !== "");
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536;
}

/** What is in them has no use here. */
function isTableList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= maxListEntries && value.every(isJsonObject);
}

/** A table that was checked, or what is wrong with it. */
type ReadTable =
  | { readonly type: "rule" | "hook"; readonly table: JsonObject }
  | { readonly type: "wrong"; readonly problem: string; readonly at: readonly string[] };

function checkTables(key: ConfigKey, value: unknown, what: string, read: (entry: unknown) => ReadTable): CheckedValue {
  if (!Array.isArray(value) || value.length > maxListEntries) return mismatch(key, value);
  const tables: JsonObject[] = [];
  for (const [index, entry] of value.entries()) {
    const checked = read(entry);
    if (checked.type === "wrong")
      return { type: "wrong", problem: `${what} ${index + 1}: ${checked.problem}`, at: [String(index), ...checked.at] };
    tables.push(checked.table);
  }
  return fits(tables);
}

/** The table as plain JSON; `undefined` when it holds dates, numbers JSON has not, reserved names, or is too deep. */
function plainJson(value: unknown, depth: number): JsonValue | undefined {
  if (depth > maxValueDepth) return undefined;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => plainJson(item, depth + 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isJsonObject(value) || value instanceof Date) return undefined;
  const entries: (readonly [string, JsonValue])[] = [];
  for (const [name, item] of Object.entries(value)) {
    const plain = isReservedName(name) ? undefined : plainJson(item, depth + 1);
    if (plain === undefined) return undefined;
    entries.push([name, plain]);
  }
  return Object.fromEntries(entries);
}

function shown(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  return typeof value === "object" ? "a table" : `a ${typeof value}`;
}
