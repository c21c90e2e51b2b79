import { PatternText } from "@capstan/patterns";
import type { Rule, RuleVerdict } from "@capstan/protocol";
import type { CommandPattern } from "./command-pattern.ts";
import { everyCommand, ruleCommand } from "./rule-command.ts";
import { isInsideWorkspace, namesOfPath } from "../inside-workspace.ts";
import type { PathPattern } from "./path-pattern.ts";
import { rulePath } from "./rule-path.ts";
import { changesWorkspace, type CommandAction, runsIsolated, type Situation } from "../situation.ts";
import { matchesTool, speaksOfReading, speaksOfWriting } from "./tool-names.ts";

/** A rule about the command tool, with its patterns read. */
export interface CommandRule {
  readonly rule: Rule;
  readonly command: CommandPattern;
  readonly path: PathPattern | undefined;
}

/** A deny or ask rule about files: it binds commands that name the files, too. */
export interface FileRule {
  readonly rule: Rule;
  readonly path: PathPattern;
  /** Reading alone breaks it; otherwise only a command that may write does. */
  readonly protectsReading: boolean;
  /** What an enforced sandbox does by itself for what it speaks of; `undefined`: nothing that one could rely on. */
  readonly kept: "closed" | "unchanged" | undefined;
}

/** Everything rules say about one command action. */
export interface CommandRules {
  readonly own: readonly CommandRule[];
  readonly files: readonly FileRule[];
  readonly cwd: PatternText;
  readonly isCwdInside: boolean;
  /** The enforced sandbox it runs in, by what of the workspace it may change besides build folders; `undefined`: none. */
  readonly box: "read-only" | "writable" | undefined;
  /** It starts in the workspace's own folder: what allow rules name is there. */
  readonly isAtHome: boolean;
  /** Names of the paths the tool itself declared. */
  readonly declaredNames: readonly (readonly string[])[];
  /** Under which names rules may speak of a word taken as a path. */
  readonly namesOf: (word: string) => readonly string[];
}

/** Picks and reads the rules that can speak of a command. */
export function commandRules(action: CommandAction, situation: Situation): CommandRules {
  const { policy, workspace } = situation;
  const { cwd } = action.command;
  const { own, files } = rulesFor(action.tool, policy.rules);
  return {
    own,
    files,
    cwd: new PatternText(cwd),
    box: boxOf(action, situation),
    isAtHome: cwd === workspace.cwd,
    isCwdInside: cwd.startsWith("/") && isInsideWorkspace(cwd, workspace),
    declaredNames: action.paths.map((use) => [use.shown, ...namesOfPath(use.real, cwd, workspace)]),
    namesOf: (word) => namesOfPath(word, cwd, workspace),
  };
}

function boxOf(action: CommandAction, situation: Situation): CommandRules["box"] {
  if (!runsIsolated(action, situation)) return undefined;
  return changesWorkspace(action) ? "writable" : "read-only";
}

/** Those of one verdict, in their order. */
export function withVerdict(rules: readonly CommandRule[], verdict: RuleVerdict): readonly CommandRule[] {
  const known = byVerdict.get(rules) ?? {
    allow: rules.filter(({ rule }) => rule.verdict === "allow"),
    ask: rules.filter(({ rule }) => rule.verdict === "ask"),
    deny: rules.filter(({ rule }) => rule.verdict === "deny"),
  };
  byVerdict.set(rules, known);
  return known[verdict];
}

/** Those whose pattern speaks of a text as it is written, across its commands. */
export function onTexts(rules: readonly CommandRule[]): readonly CommandRule[] {
  const known =
    textRules.get(rules) ?? rules.filter(({ command }) => command.type === "script" || command.type === "regex");
  textRules.set(rules, known);
  return known;
}

/** A pure function's memory. */
const textRules = new WeakMap<readonly CommandRule[], readonly CommandRule[]>();
const byVerdict = new WeakMap<readonly CommandRule[], Readonly<Record<RuleVerdict, readonly CommandRule[]>>>();

type RulesOfTool = Pick<CommandRules, "own" | "files">;

/** A pure function's memory: a session judges all its calls by one list of rules. */
const remembered = new WeakMap<readonly Rule[], Map<string, RulesOfTool>>();

function rulesFor(tool: string, rules: readonly Rule[]): RulesOfTool {
  const byTool = remembered.get(rules) ?? new Map<string, RulesOfTool>();
  remembered.set(rules, byTool);
  const known = byTool.get(tool);
  if (known !== undefined) return known;
  const own = rules.filter((rule) => rule.host === undefined && matchesTool(rule.tool, tool)).flatMap(readCommandRule);
  const found = { own, files: rules.flatMap(readFileRule) };
  byTool.set(tool, found);
  return found;
}

function readCommandRule(rule: Rule): readonly CommandRule[] {
  const command = ruleCommand(rule);
  const path = rulePath(rule);
  if (!("problem" in command) && (path === undefined || !("problem" in path))) return [{ rule, command, path }];
  // A rule nobody can read grants nothing and restricts everything it might speak of.
  return rule.verdict === "allow" ? [] : [{ rule, command: everyCommand, path: undefined }];
}

function readFileRule(rule: Rule): readonly FileRule[] {
  if (rule.verdict === "allow" || rule.path === undefined || rule.command !== undefined || rule.host !== undefined)
    return [];
  const protectsReading = speaksOfReading(rule.tool);
  if (!protectsReading && !speaksOfWriting(rule.tool)) return [];
  const path = rulePath(rule);
  return path === undefined || "problem" in path ? [] : [{ rule, path, protectsReading, kept: keptBySandbox(rule) }];
}

/** Only what is protected from the start: a pattern of the user's own is held to its words everywhere. */
function keptBySandbox({ source, protects, path = "" }: Rule): FileRule["kept"] {
  if (source !== "built-in" || protects !== true) return undefined;
  return path.split("/").includes(".git") ? "unchanged" : "closed";
}
