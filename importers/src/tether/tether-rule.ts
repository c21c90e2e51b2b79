import { foreignToolName, problemOfRule } from "@capstan/policy";
import { isJsonObject, type RiskLevel, type Rule, type RuleSource, type RuleVerdict } from "@capstan/protocol";
import { maxExamples, didYouMean, quote, quoteName } from "@capstan/settings";

/** One rule of a Tether policy file, checked. */
export interface TetherRule {
  readonly name: string;
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly paths: readonly string[];
  readonly verdict: RuleVerdict;
  readonly reason?: string;
  readonly risk?: RiskLevel;
}

export interface RuleProblem {
  readonly problem: string;
  readonly at: readonly string[];
}

const fieldNames = [
  "name",
  "tool",
  "tools",
  "command_patterns",
  "path_patterns",
  "action",
  "reason",
  "description",
  "risk_level",
];
const verdicts: ReadonlyMap<unknown, RuleVerdict> = new Map([
  ["allow", "allow"],
  ["deny", "deny"],
  ["require_approval", "ask"],
]);
// There are three levels here.
const risks: ReadonlyMap<unknown, RiskLevel> = new Map([
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["critical", "high"],
]);

/** Checks the fields of one rule. */
export function readTetherRule(entry: unknown): TetherRule | RuleProblem {
  if (!isJsonObject(entry)) return { problem: "expected a rule with names and values", at: [] };
  const wrong = Object.entries(entry).flatMap(([name, value]) => {
    const problem = problemOfField(name, value);
    return problem === undefined ? [] : [{ problem, at: [name] }];
  });
  const [first] = wrong;
  if (first !== undefined) return first;
  const verdict = verdicts.get(entry["action"]);
  if (verdict === undefined) return { problem: "action is missing: expected allow, deny or require_approval", at: [] };
  const risk = risks.get(entry["risk_level"]);
  const reason = entry["reason"] ?? entry["description"];
  return {
    name: typeof entry["name"] === "string" ? entry["name"] : "unnamed",
    tools: [...(textsOf(entry["tool"]) ?? []), ...(textsOf(entry["tools"]) ?? [])],
    commands: textsOf(entry["command_patterns"]) ?? [],
    paths: textsOf(entry["path_patterns"]) ?? [],
    verdict,
    ...(typeof reason === "string" ? { reason } : {}),
    ...(risk === undefined ? {} : { risk }),
  };
}

function problemOfField(name: string, value: unknown): string | undefined {
  switch (name) {
    case "name":
    case "reason":
    case "description":
      return value === null || typeof value === "string" ? undefined : `${name}: expected a string`;
    case "tool":
    case "tools":
    case "command_patterns":
    case "path_patterns":
      return textsOf(value) === undefined ? `${name}: expected a string or a list of strings` : undefined;
    case "action":
      return verdicts.has(value) ? undefined : "action: expected one of allow, deny, require_approval";
    case "risk_level":
      return risks.has(value) ? undefined : "risk_level: expected one of low, medium, high, critical";
    default:
      return `unknown field ${quoteName(name)}${didYouMean(name, fieldNames)}`;
  }
}

/** Tools of the rule that Capstan has not: what it says about them is without effect here. */
export function foreignTools({ tools }: TetherRule): readonly string[] {
  return tools.filter(foreignToolName);
}

/** What the rule is in Capstan's language, or which of its patterns cannot be said in it. */
export function rulesOfTether(rule: TetherRule, source: RuleSource): readonly Rule[] | RuleProblem {
  const { name, verdict, reason, risk } = rule;
  const rules = rule.tools
    .filter((tool) => !foreignToolName(tool))
    .flatMap((tool): readonly Rule[] =>
      patternsFor(tool, rule).map((pattern) => ({
        verdict,
        tool,
        ...pattern,
        ...(reason === undefined ? {} : { reason }),
        ...(risk === undefined ? {} : { risk }),
        source,
        text: `${name}: ${tool}${pattern.command === undefined && pattern.path === undefined ? "" : `(${pattern.command ?? pattern.path})`}`,
      })),
    );
  for (const made of rules) {
    const problem = problemOfRule(made);
    if (problem === undefined) continue;
    const at = made.command === undefined ? "path_patterns" : "command_patterns";
    return {
      problem: `${at}: ${quote((made.command ?? made.path ?? made.tool).replace(/^regex:/, ""))}: ${problem}`,
      at: [at],
    };
  }
  return rules;
}

/** Whether a tool is the one that runs commands. */
export function isCommandTool(tool: string): boolean {
  return tool.toLowerCase() === "bash" || tool === "run_command";
}

/** Command patterns speak of `Bash`, path patterns of all other tools; of a tool that its patterns do not speak of, none is left. */
function patternsFor(
  tool: string,
  { commands, paths, verdict }: TetherRule,
): readonly Pick<Rule, "command" | "path">[] {
  const [own, others] = isCommandTool(tool) ? [commands, paths] : [paths, commands];
  if (own.length > 0) return own.map((pattern) => ({ [isCommandTool(tool) ? "command" : "path"]: `regex:${pattern}` }));
  // What only restricts may rather restrict too much; what allows must not allow everything.
  return others.length > 0 && verdict === "allow" ? [] : [{}];
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (typeof value === "string" && value !== "") return [value];
  if (!Array.isArray(value) || value.length > maxExamples) return undefined;
  return value.every((item) => typeof item === "string" && item !== "") ? value : undefined;
}
