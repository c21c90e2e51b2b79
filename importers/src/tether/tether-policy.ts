import { type ApprovalMode, isJsonObject, type Rule, type RuleSource } from "@capstan/protocol";
import {
  type ConfigProblem,
  maxListEntries,
  didYouMean,
  quote,
  quoteName,
  isTimeout,
  type ReadPolicyFile,
  noteRulePlace,
} from "@capstan/settings";
import type { PlacedTetherRule } from "./tether-order.ts";
import { foreignTools, readTetherRule, rulesOfTether, type TetherRule } from "./tether-rule.ts";
import { orderWarnings } from "./tether-order.ts";
import { readYaml, type YamlDocument } from "./yaml-document.ts";

const fileFields = ["version", "name", "description", "rules", "settings"];
const settingFields = ["default_action", "approval_timeout_seconds"];
const approvalOf: ReadonlyMap<unknown, ApprovalMode> = new Map([
  ["allow", "permissive"],
  ["require_approval", "default"],
  ["deny", "strict"],
]);

/** Reads a policy file in Tether's form. @throws AppError `config.syntax`, `config.invalid` */
export async function readTetherPolicy(file: string, text: string, source: RuleSource): Promise<ReadPolicyFile> {
  return new TetherPolicy(await readYaml(file, text), source).read();
}

class TetherPolicy {
  readonly #document: YamlDocument;
  readonly #source: RuleSource;
  readonly #problems: ConfigProblem[] = [];
  readonly #warnings: string[] = [];

  constructor(document: YamlDocument, source: RuleSource) {
    this.#document = document;
    this.#source = source;
  }

  read(): ReadPolicyFile {
    const { values, file } = this.#document;
    this.#checkNames(values, fileFields, []);
    const placed = this.#tetherRules(values["rules"]);
    const rules = placed.flatMap((each) => this.#rules(each));
    const settings = this.#settings(values["settings"]);
    if (this.#problems.length > 0) return { type: "wrong", problems: this.#problems };
    const foreign = [...new Set(placed.flatMap(({ rule }) => foreignTools(rule)))];
    if (foreign.length > 0)
      this.#warnings.push(
        `${file}: Capstan has no ${foreign.map(quoteName).join(", ")}; what the rules say of them is without effect`,
      );
    const warnings = [...this.#warnings, ...orderWarnings(file, placed)];
    return { type: "read", policy: { file, source: this.#source, rules, warnings, ...settings } };
  }

  #tetherRules(value: unknown): readonly PlacedTetherRule[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value) || value.length > maxListEntries) {
      this.#wrong(["rules"], `rules: expected a list of at most ${maxListEntries} rules`);
      return [];
    }
    return value.flatMap((entry, index) => {
      const rule = readTetherRule(entry);
      if (!("problem" in rule)) return [{ rule, place: this.#document.placeOf(["rules", index]) }];
      this.#wrong(["rules", index, ...rule.at], `rule ${index + 1}: ${rule.problem}`);
      return [];
    });
  }

  #rules({ rule, place }: PlacedTetherRule): readonly Rule[] {
    const rules = rulesOfTether(rule, this.#source);
    if ("problem" in rules) {
      this.#problems.push({ code: "config.invalid", text: `${place}: rule ${quote(rule.name)}: ${rules.problem}` });
      return [];
    }
    this.#warnOf(rule, place);
    return rules.map((made) => noteRulePlace(made, place));
  }

  #warnOf({ name, tools, commands, verdict }: TetherRule, place: string): void {
    const start = `${place}: rule ${quote(name)}`;
    if (tools.length === 0) this.#warnings.push(`${start} names no tool, so it never matches`);
    if (verdict !== "allow") return;
    const open = commands.find((pattern) => !/^(?:\(\?[is]+\))?(?:\^|\\A)/.test(pattern));
    if (open !== undefined)
      this.#warnings.push(
        `${start}: a pattern that allows is matched from the beginning of a command here, so ${quote(open)} allows less`,
      );
  }

  #settings(value: unknown): { readonly approval?: ApprovalMode; readonly timeoutSeconds?: number } {
    if (value === undefined || value === null) return {};
    if (!isJsonObject(value)) {
      this.#wrong(["settings"], "settings: expected default_action and approval_timeout_seconds");
      return {};
    }
    this.#checkNames(value, settingFields, ["settings"]);
    const { default_action: action, approval_timeout_seconds: timeoutSeconds } = value;
    const approval = approvalOf.get(action);
    if (action !== undefined && approval === undefined)
      this.#wrong(["settings", "default_action"], "default_action: expected one of allow, deny, require_approval");
    if (timeoutSeconds !== undefined && !isTimeout(timeoutSeconds))
      this.#wrong(
        ["settings", "approval_timeout_seconds"],
        "approval_timeout_seconds: expected a number from 1 to 31536000",
      );
    if (approval === "permissive")
      this.#warnings.push(
        `${this.#document.placeOf(["settings", "default_action"])}: default_action allow is read as approval "permissive": changes to files of the workspace and commands in the sandbox; anything else is still asked about`,
      );
    return {
      ...(approval === undefined ? {} : { approval }),
      ...(isTimeout(timeoutSeconds) ? { timeoutSeconds } : {}),
    };
  }

  #checkNames(values: Readonly<Record<string, unknown>>, known: readonly string[], at: readonly string[]): void {
    for (const name of Object.keys(values))
      if (!known.includes(name))
        this.#wrong([...at, name], `unknown field ${quoteName(name)}${didYouMean(name, known)}`);
  }

  #wrong(at: readonly (string | number)[], text: string): void {
    this.#problems.push({ code: "config.invalid", text: `${this.#document.placeOf(at)}: ${text}` });
  }
}
