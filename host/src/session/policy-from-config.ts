import { parseRule, problemOfRule } from "@capstan/engine";
import {
  AppError,
  defaultDeniedPatterns,
  type JsonValue,
  type Policy,
  type Rule,
  type RuleSource,
  type RuleVerdict,
} from "@capstan/protocol";
import { type ConfigLayer, describeOrigin } from "../config/config-origin.ts";
import type { CapstanConfig, RuleConfig } from "../config/keys/capstan-config.ts";
import type { LoadedConfig } from "../config/load-config.ts";

/**
 * The rules of all layers, each with its source.
 * @throws {AppError} `config.invalid` for a rule that cannot be read, with the place it stands in
 */
export function policyFromConfig(loaded: LoadedConfig, yolo: boolean): Policy {
  const { values } = loaded;
  return {
    approval: values.tools.approval.mode,
    yolo,
    rules: [
      ...protectedPaths(loaded.values),
      ...listed(loaded, "permissions.allow", "allow"),
      ...listed(loaded, "permissions.ask", "ask"),
      ...listed(loaded, "permissions.deny", "deny"),
      ...listed(loaded, "tools.approval.allowlist", "allow"),
      ...listed(loaded, "tools.approval.denylist", "deny"),
      ...tables(loaded),
    ],
  };
}

/** Protected files: the file tools refuse them by themselves; as rules they bind commands that name them, too. */
export function protectedPatterns({ tools }: CapstanConfig): readonly string[] {
  const { include_default_denies: withDefaults, denied_patterns: own } = tools.sandbox;
  return [...(withDefaults ? defaultDeniedPatterns : []), ...own];
}

function protectedPaths(config: CapstanConfig): readonly Rule[] {
  return protectedPatterns(config).map((path) => ({
    verdict: "deny",
    tool: "read_file",
    path,
    reason: "it is a protected file",
    source: "built-in",
    text: `read_file(${path})`,
  }));
}

function listed(loaded: LoadedConfig, key: string, verdict: RuleVerdict): readonly Rule[] {
  return contributions(loaded, key).flatMap(({ value, layer, place }) =>
    strings(value).map((text) => {
      const rule = parseRule(text, verdict, sourceOf(layer));
      if ("problem" in rule)
        throw new AppError("config.invalid", `${place}: ${key}: ${JSON.stringify(text)}: ${rule.problem}`);
      return rule;
    }),
  );
}

function tables(loaded: LoadedConfig): readonly Rule[] {
  return contributions(loaded, "permissions.rules").flatMap(({ value, layer, place }) => {
    const entries = Array.isArray(value) ? value.filter(isRuleTable) : [];
    return entries.map((table) => fromTable(table, layer, place));
  });
}

function fromTable(table: RuleConfig, layer: ConfigLayer, place: string): Rule {
  const { tool, command, path } = table;
  const text = command === undefined && path === undefined ? tool : `${tool}(${command ?? path})`;
  const rule: Rule = { ...table, source: sourceOf(layer), text };
  const problem = problemOfRule(rule);
  if (problem !== undefined)
    throw new AppError("config.invalid", `${place}: permissions.rules: ${JSON.stringify(text)}: ${problem}`);
  return rule;
}

/** The configuration's check has made sure of the rest. */
function isRuleTable(entry: unknown): entry is RuleConfig {
  return typeof entry === "object" && entry !== null && "tool" in entry && "verdict" in entry;
}

function contributions(
  loaded: LoadedConfig,
  key: string,
): readonly { readonly value: JsonValue; readonly layer: ConfigLayer; readonly place: string }[] {
  const layers = loaded.keys.get(key)?.layers ?? [];
  return layers.map(({ value, origin }) => ({ value, layer: origin.layer, place: describeOrigin(origin) }));
}

function strings(value: JsonValue): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function sourceOf(layer: ConfigLayer): RuleSource {
  return layer === "default" ? "built-in" : layer;
}
