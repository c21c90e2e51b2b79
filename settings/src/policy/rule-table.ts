import { matchesExample, problemOfRule } from "@capstan/policy";
import { isJsonObject, type JsonObject, type JsonValue, type Rule, type RuleSource } from "@capstan/protocol";
import { maxExamples } from "../config/config-limits.ts";
import type { RuleConfig } from "../config/keys/capstan-config.ts";
import { didYouMean } from "../config/nearest-name.ts";
import { quote, quoteName } from "../config/quote.ts";

/** A rule as people write it in a table, or what is wrong with it. `at`: the field, and the number (from 0) in its list. */
export type ReadRuleTable =
  | { readonly type: "rule"; readonly table: JsonObject }
  | { readonly type: "wrong"; readonly problem: string; readonly at: readonly string[] };

type FieldKind = "text" | "texts" | "date" | "flag" | "choice";
const fieldKinds: Readonly<Record<keyof RuleConfig, FieldKind>> = {
  verdict: "choice",
  tool: "texts",
  command: "texts",
  path: "texts",
  host: "texts",
  origin: "text",
  reason: "text",
  risk: "choice",
  expires: "date",
  locked: "flag",
  destructive: "flag",
  match: "texts",
  not_match: "texts",
};
const ruleFields: readonly string[] = Object.keys(fieldKinds);
const choices: Readonly<Record<string, readonly string[]>> = {
  verdict: ["allow", "ask", "deny"],
  risk: ["low", "medium", "high"],
};

/** Checks one table of `[[permissions.rules]]` or of a policy file: its fields, its patterns, and its examples, which are run. */
export function readRuleTable(entry: unknown): ReadRuleTable {
  if (!isJsonObject(entry) || entry instanceof Date) return wrong(`expected a table, found ${shown(entry)}`, []);
  const table: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(entry)) {
    const kind = isField(name) ? fieldKinds[name] : undefined;
    if (kind === undefined) return wrong(`unknown field ${quoteName(name)}${didYouMean(name, ruleFields)}`, [name]);
    const field = readField(name, kind, value);
    if ("problem" in field) return wrong(`${name}: ${field.problem}`, [name]);
    table[name] = field.value;
  }
  if (table["tool"] === undefined) return wrong("tool is missing", []);
  if (table["verdict"] === undefined) return wrong("verdict: expected one of allow, ask, deny", ["verdict"]);
  return checkRules(table);
}

/** The rules a table stands for: one for each combination of what its lists hold. */
export function rulesOfTable(table: RuleConfig, source: RuleSource): readonly Rule[] {
  const { verdict, origin, reason, risk, expires, locked, destructive } = table;
  const shared = {
    ...(origin === undefined ? {} : { origin }),
    ...(reason === undefined ? {} : { reason }),
    ...(risk === undefined ? {} : { risk }),
    ...(expires === undefined ? {} : { expiresAt: instantOf(expires) ?? 0 }),
    ...(locked === true ? { locked } : {}),
    ...(destructive === undefined ? {} : { destructive }),
  };
  return variantsOf(table).map(({ tool, ...what }) => {
    const pattern = what.command ?? what.path ?? what.host;
    return { verdict, tool, ...what, ...shared, source, text: pattern === undefined ? tool : `${tool}(${pattern})` };
  });
}

type Variant = Pick<Rule, "tool" | "command" | "path" | "host">;

function variantsOf(table: RuleConfig): readonly Variant[] {
  let variants: readonly Variant[] = listOf(table.tool).map((tool) => ({ tool }));
  for (const name of ["command", "path", "host"] as const) {
    const values = table[name];
    if (values === undefined) continue;
    variants = variants.flatMap((variant) => listOf(values).map((value) => ({ ...variant, [name]: value })));
  }
  return variants;
}

function checkRules(table: JsonObject): ReadRuleTable {
  if (!isRuleTable(table)) return wrong("tool and verdict are missing", []);
  const rules = rulesOfTable(table, "user");
  if (rules.length > maxExamples) return wrong(`its lists make more than ${maxExamples} rules`, []);
  for (const rule of rules) {
    const problem = problemOfRule(rule);
    if (problem !== undefined) return wrong(`${quote(rule.text)}: ${problem}`, []);
  }
  const missing = examplesOf(table, "match").findIndex(
    (example) => !rules.some((rule) => matchesExample(rule, example)),
  );
  if (missing !== -1) return wrongExample(table, "match", missing);
  const taken = examplesOf(table, "not_match").findIndex((example) =>
    rules.some((rule) => matchesExample(rule, example)),
  );
  return taken === -1 ? { type: "rule", table } : wrongExample(table, "not_match", taken);
}

function wrongExample(table: RuleConfig, field: "match" | "not_match", index: number): ReadRuleTable {
  const example = quote(examplesOf(table, field)[index] ?? "");
  const rule = quote(
    rulesOfTable(table, "user")
      .map(({ text }) => text)
      .join(", "),
  );
  const found = field === "match" ? "does not match it" : "matches it";
  return wrong(
    `${field}: the rule ${rule} should ${field === "match" ? "" : "not "}match ${example}, and this example ${found}`,
    [field],
  );
}

function examplesOf(table: RuleConfig, field: "match" | "not_match"): readonly string[] {
  const examples = table[field];
  return examples === undefined ? [] : listOf(examples);
}

/** What a table holds whose fields were checked. */
export function isRuleTable(entry: unknown): entry is RuleConfig & JsonObject {
  return typeof entry === "object" && entry !== null && "tool" in entry && "verdict" in entry;
}

function isField(name: string): name is keyof RuleConfig {
  return Object.hasOwn(fieldKinds, name);
}

type ReadField = { readonly value: JsonValue } | { readonly problem: string };

function readField(name: string, kind: FieldKind, value: unknown): ReadField {
  switch (kind) {
    case "text":
      return isText(value) ? { value } : { problem: `expected a string, found ${shown(value)}` };
    case "texts":
      return readTexts(value);
    case "date":
      return readDate(value);
    case "flag":
      return typeof value === "boolean" ? { value } : { problem: `expected true or false, found ${shown(value)}` };
    case "choice": {
      const known = choices[name] ?? [];
      return typeof value === "string" && known.includes(value)
        ? { value }
        : { problem: `expected one of ${known.join(", ")}` };
    }
  }
}

function readTexts(value: unknown): ReadField {
  if (isText(value)) return { value };
  if (Array.isArray(value) && value.length > 0 && value.length <= maxExamples && value.every(isText)) return { value };
  return { problem: `expected a string, or a list of strings, found ${shown(value)}` };
}

/** Dates stay as they were written, because a table is plain JSON. */
function readDate(value: unknown): ReadField {
  const written = value instanceof Date ? value.toISOString() : value;
  if (typeof written === "string" && instantOf(written) !== undefined) return { value: written };
  return { problem: `expected a date such as 2027-01-31, or a time with its zone, found ${shown(value)}` };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

function shown(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  return value instanceof Date ? "a date" : `a ${typeof value === "object" ? "table" : typeof value}`;
}

function wrong(problem: string, at: readonly string[]): ReadRuleTable {
  return { type: "wrong", problem, at };
}

/** A date (its beginning, UTC) or a time with its zone, in ms since 1970; `undefined` for anything else. */
function instantOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(text))
    return undefined;
  const instant = Date.parse(text.replace(" ", "T"));
  if (Number.isNaN(instant)) return undefined;
  // There is no 30th of February, though some would take it for the 2nd of March.
  const day = Number(text.slice(8, 10));
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day ? instant : undefined;
}
