import { DenyPatterns } from "@capstan/patterns";
import { foreignToolName, parseRule, problemOfHost, toolNames } from "@capstan/policy";
import {
  AppError,
  type ApprovalMode,
  defaultDeniedPatterns,
  type JsonValue,
  type Policy,
  registriesPreset,
  type Rule,
  type RuleSource,
  type RuleVerdict,
} from "@capstan/protocol";
import { type ConfigLayer, type ConfigOrigin, describeOrigin } from "../config/config-origin.ts";
import type { CapstanConfig } from "../config/keys/capstan-config.ts";
import type { ConfigContribution } from "../config/layer-stack.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { PolicyFile } from "./policy-file.ts";
import { didYouMean } from "../config/nearest-name.ts";
import { noteRulePlace } from "./rule-place.ts";
import { isRuleTable, rulesOfTable } from "./rule-table.ts";

/**
 * The rules of all layers and policy files, each with its source.
 * @throws {AppError} `config.invalid` for a rule that cannot be read, with the place it stands in
 */
export function policyFromConfig(loaded: LoadedConfig, yolo: boolean, files: readonly PolicyFile[] = []): Policy {
  checkHosts(loaded);
  checkDeniedPatterns(loaded);
  return {
    approval: approvalOf(loaded, files),
    yolo,
    rules: [
      ...protectedPaths(loaded),
      ...listed(loaded, "permissions.allow", "allow"),
      ...listed(loaded, "permissions.ask", "ask"),
      ...listed(loaded, "permissions.deny", "deny"),
      ...listed(loaded, "tools.approval.allowlist", "allow"),
      ...listed(loaded, "tools.approval.denylist", "deny"),
      ...tables(loaded),
      ...files.flatMap(({ rules }) => rules),
    ],
  };
}

/** A host that can never match opens nothing, and whoever wrote it should know. */
function checkHosts(loaded: LoadedConfig): void {
  for (const { value, origin } of contributions(loaded, "sandbox.hosts")) {
    for (const host of strings(value)) {
      const problem = host === registriesPreset ? undefined : problemOfHost(host);
      if (problem === undefined) continue;
      const place = describeOrigin(origin);
      throw new AppError("config.invalid", `${place}: sandbox.hosts: ${JSON.stringify(host)}: ${problem}`);
    }
  }
}

/** A deny pattern that nobody can read would protect nothing, or everything. */
function checkDeniedPatterns(loaded: LoadedConfig): void {
  const key = "tools.sandbox.denied_patterns";
  for (const { value, origin, entryLines = [] } of contributions(loaded, key)) {
    for (const [index, pattern] of strings(value).entries()) {
      const read = DenyPatterns.read([pattern]);
      if (!("problem" in read)) continue;
      const place = describeOrigin(atLine(origin, entryLines[index]));
      throw new AppError("config.invalid", `${place}: ${key}: ${JSON.stringify(pattern)}: ${read.problem}`);
    }
  }
}

/** Protected files: the file tools refuse them by themselves; as rules they bind commands that name them, too. */
export function protectedPatterns({ tools }: CapstanConfig): readonly string[] {
  const { include_default_denies: withDefaults, denied_patterns: own } = tools.sandbox;
  return [...(withDefaults ? defaultDeniedPatterns : []), ...own];
}

const strictness: readonly ApprovalMode[] = ["permissive", "default", "strict"];

/** What was set wins over what policy files say, of which the strictest counts; those of the managed layer are the least there is. */
function approvalOf({ values, origins, keys }: LoadedConfig, files: readonly PolicyFile[]): ApprovalMode {
  const set = values.tools.approval.mode;
  const isSet = origins.get("tools.approval.mode")?.layer !== "default";
  const isLocked = keys.get("tools.approval.mode")?.locked !== undefined;
  const binding = files.filter(({ source }) => source === "managed" || (!isSet && !isLocked));
  const said = binding.flatMap(({ approval }) => (approval === undefined ? [] : [approval]));
  if (said.length === 0) return set;
  const candidates = isSet || isLocked ? [set, ...said] : said;
  return candidates.reduce((strictest, mode) =>
    strictness.indexOf(mode) > strictness.indexOf(strictest) ? mode : strictest,
  );
}

function protectedPaths(loaded: LoadedConfig): readonly Rule[] {
  const { include_default_denies: withDefaults, denied_patterns: own } = loaded.values.tools.sandbox;
  const layers = contributions(loaded, "tools.sandbox.denied_patterns");
  const layerOf = (path: string): RuleSource =>
    sourceOf(layers.findLast(({ value }) => strings(value).includes(path))?.origin.layer ?? "user");
  return [
    ...(withDefaults ? defaultDeniedPatterns : []).map((path) => protectingRule(path, "built-in")),
    ...own.map((path) => protectingRule(path, layerOf(path))),
  ];
}

function protectingRule(path: string, source: RuleSource): Rule {
  const reason = "it is a protected file";
  return { verdict: "deny", tool: "read_file", path, protects: true, reason, source, text: `read_file(${path})` };
}

function listed(loaded: LoadedConfig, key: string, verdict: RuleVerdict): readonly Rule[] {
  return contributions(loaded, key).flatMap(({ value, origin }) =>
    strings(value).map((text) => {
      const rule = parseRule(text, verdict, sourceOf(origin.layer));
      const slip = problemOfSlip(text, origin);
      if (!("problem" in rule) && slip === undefined) return noteRulePlace(rule, describeOrigin(origin));
      const problem = slip ?? ("problem" in rule ? rule.problem : "");
      throw new AppError("config.invalid", `${describeOrigin(origin)}: ${key}: ${JSON.stringify(text)}: ${problem}`);
    }),
  );
}

/** Of what was just typed, a name that is nearly a tool's is taken for a slip: the rule would hold for nothing. */
function problemOfSlip(text: string, { layer }: ConfigOrigin): string | undefined {
  const tool = /^[^()\s]*/.exec(text.trim())?.[0] ?? "";
  if (layer !== "flag" || !foreignToolName(tool)) return undefined;
  const meant = didYouMean(tool, toolNames());
  return meant === "" ? undefined : `no tool is named ${JSON.stringify(tool)}${meant}`;
}

function tables(loaded: LoadedConfig): readonly Rule[] {
  return contributions(loaded, "permissions.rules").flatMap(({ value, origin, entryLines = [] }) => {
    const entries = Array.isArray(value) ? value : [];
    return entries.flatMap((table, index) => {
      if (!isRuleTable(table)) return [];
      const place = describeOrigin(atLine(origin, entryLines[index]));
      return rulesOfTable(table, sourceOf(origin.layer)).map((rule) => noteRulePlace(rule, place));
    });
  });
}

function atLine(origin: ConfigOrigin, line: number | undefined): ConfigOrigin {
  return line === undefined ? origin : { ...origin, line };
}

function contributions(loaded: LoadedConfig, key: string): readonly ConfigContribution[] {
  return loaded.keys.get(key)?.layers ?? [];
}

function strings(value: JsonValue): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function sourceOf(layer: ConfigLayer): RuleSource {
  return layer === "default" ? "built-in" : layer;
}
