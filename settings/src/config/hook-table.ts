import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { maxHookSeconds } from "./config-limits.ts";
import type { HookConfig } from "./keys/hook-config.ts";
import { didYouMean } from "./nearest-name.ts";
import { quoteName } from "./quote.ts";

/** A hook as people write it in a table, or what is wrong with it. */
export type ReadHookTable =
  | { readonly type: "hook"; readonly table: JsonObject }
  | { readonly type: "wrong"; readonly problem: string; readonly at: readonly string[] };

const checks: Readonly<Record<keyof HookConfig, (value: unknown) => string | undefined>> = {
  matcher: (value) =>
    typeof value === "string" && isPattern(value) ? undefined : "expected names, A|B, or a regular expression",
  command: (value) =>
    isText(value) ||
    (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string") && isText(value[0]))
      ? undefined
      : "expected a line for the shell, or a list of a program and its arguments",
  url: (value) =>
    typeof value === "string" && /^https?:\/\/[^/]/i.test(value) && URL.canParse(value)
      ? undefined
      : "expected an address that begins with http:// or https://",
  headers: (value) =>
    isJsonObject(value) && Object.values(value).every((item) => typeof item === "string")
      ? undefined
      : "expected a table of strings",
  bearer_token_env: (value) => (isText(value) ? undefined : "expected the name of a variable"),
  timeout: (value) =>
    typeof value === "number" && value > 0 && value <= maxHookSeconds
      ? undefined
      : `expected seconds, more than 0 and at most ${maxHookSeconds}`,
};
const fields: readonly string[] = Object.keys(checks);

/** Checks one table of `[[hooks.EVENT]]`. */
export function readHookTable(entry: unknown): ReadHookTable {
  if (!isJsonObject(entry) || entry instanceof Date) return wrong("expected a table");
  const table: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (!isField(name)) return wrong(`unknown field ${quoteName(name)}${didYouMean(name, fields)}`, name);
    const problem = checks[name](value);
    if (problem !== undefined) return wrong(`${name}: ${problem}`, name);
    table[name] = value;
  }
  if ((table["command"] === undefined) === (table["url"] === undefined)) return wrong("set either command or url");
  const ofAddress = ["headers", "bearer_token_env"].find((name) => table[name] !== undefined);
  if (table["url"] === undefined && ofAddress !== undefined) return wrong(`${ofAddress} goes with url`, ofAddress);
  return { type: "hook", table };
}

function wrong(problem: string, ...at: readonly string[]): ReadHookTable {
  return { type: "wrong", problem, at };
}

function isField(name: string): name is keyof HookConfig {
  return fields.includes(name);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isPattern(matcher: string): boolean {
  if (matcher.trim() === "*") return true;
  try {
    return new RegExp(matcher) instanceof RegExp;
  } catch {
    return false;
  }
}
