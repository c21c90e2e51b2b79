import { configKeys } from "../keys/config-keys.ts";
import type { ConfigKey } from "../keys/config-key.ts";
import { expectation } from "../check-value.ts";
import { tomlText } from "./toml-text.ts";

/**
 * A first `config.toml` that changes nothing: every key with its default, or an example where it has none, behind a `#`
 * without a space. Sentences stand behind a `#` with one.
 */
export function configTemplate(): string {
  const sections = new Map<string, string[]>();
  for (const [path, key] of Object.entries(configKeys)) {
    const { table, name } = place(path);
    const lines = sections.get(table) ?? [];
    sections.set(table, [...lines, ...(name === undefined ? tableLines(key) : keyLines(name, key))]);
  }
  const tables = [...sections].map(([table, lines]) => [header(table), ...lines].join("\n"));
  return [introduction, ...tables, presetExample].join("\n\n");
}

const introduction = [
  "# Configuration of Capstan. A line that begins with `#name =` shows a default or an example: take the `#` away to",
  "# change it. Strings may hold ${VARIABLE} or ${VARIABLE:-default}; write $${ for a plain ${.",
].join("\n");

const presetExample = [
  "# Any of the keys above under a name, chosen with `--preset NAME`.",
  "#[presets.careful.permissions]",
  '#mode = "plan"',
  "",
].join("\n");

/** Names to stand for those the user chooses. */
const exampleNames: readonly (readonly [RegExp, string])[] = [
  [/^api_keys\.\*/, "api_keys.anthropic"],
  [/^providers\.\*\.headers\.\*/, "providers.local.headers.User-Agent"],
  [/^providers\.\*\.query\.\*/, "providers.local.query.api-version"],
  [/^providers\.\*/, "providers.local"],
  [/^mcp_servers\.\*\.env\.\*/, "mcp_servers.memory.env.LANG"],
  [/^mcp_servers\.\*\.headers\.\*/, "mcp_servers.memory.headers.User-Agent"],
  [/^mcp_servers\.\*/, "mcp_servers.memory"],
  [/^language_servers\.\*\.env\.\*/, "language_servers.typescript.env.LANG"],
  [/^language_servers\.\*/, "language_servers.typescript"],
  [/^bundles\.\*/, "bundles.api"],
  [/^templates\.\*\.variables\.\*/, "templates.frame.variables.language"],
  [/^templates\.\*\.text/, "templates.frame.text"],
  [/^templates\.\*/, "templates.conventions"],
  [/^hooks\.\*/, "hooks.PreToolUse"],
  [/^models\.\*/, 'models."local/qwen3-coder"'],
];

/** `name`: of the value in its table; a table that is one value has none. */
function place(path: string): { readonly table: string; readonly name?: string } {
  const named = exampleNames.reduce((text, [pattern, name]) => text.replace(pattern, name), path);
  const end = named.lastIndexOf(".");
  return end === -1 ? { table: named } : { table: named.slice(0, end), name: named.slice(end + 1) };
}

/** Tables under a name of the user's own would add something, so their headers are examples as well. */
function header(table: string): string {
  return /^(?:providers|models|mcp_servers|language_servers|bundles|templates)\.|^keys$/.test(table)
    ? `#[${table}]`
    : `[${table}]`;
}

function keyLines(name: string, key: ConfigKey): readonly string[] {
  const accepts = key.type.type === "string" ? "" : ` (${expectation(key.type)})`;
  const value = key.default === null || isEmpty(key) ? (key.example ?? key.default) : key.default;
  return [`# ${key.about.replace(/\.$/, "")}${accepts}.`, `#${name} = ${tomlText(value)}`];
}

function tableLines(key: ConfigKey): readonly string[] {
  const entries = Object.entries(key.example ?? {}).map(([name, value]) => `#${name} = ${tomlText(value)}`);
  return [`# ${key.about} It is ${expectation(key.type)}.`, ...entries];
}

function isEmpty(key: ConfigKey): boolean {
  return typeof key.default === "object" && key.default !== null && Object.keys(key.default).length === 0;
}
