import {
  type Judgement,
  type NetworkUse,
  type PathUse,
  type Rule,
  unreachable,
  governsByPath,
} from "@capstan/protocol";
import { namesBehaviour } from "../behaviour-paths.ts";
import { isInsideWorkspace, namesOfPath } from "../inside-workspace.ts";
import { coversAddress } from "../rules/host-pattern.ts";
import { matchesPath, restrictsPath } from "../rules/path-pattern.ts";
import { rulePath } from "../rules/rule-path.ts";
import { judgementByRule } from "./judgement-by-rule.ts";
import { quoteText } from "../quote-for-people.ts";
import { type JudgedAction, planReason, type Situation } from "../situation.ts";
import { matchesTool } from "../rules/tool-names.ts";

/** Decides about an action that starts no command: by its tool, its paths and its effect. */
export function judgeUse(action: JudgedAction, situation: Situation): Judgement {
  const rules = situation.policy.rules.filter(
    (rule) => rule.command === undefined && matchesTool(rule.tool, action.tool) && speaksOfAddress(rule, action),
  );
  const touched = action.paths.map((use) => touchedPath(use, situation));

  const deny = rules.find((rule) => rule.verdict === "deny" && restricts(rule, touched));
  if (deny !== undefined) return byRule(deny, action);
  if (situation.mode === "plan" && (action.effect === "write" || action.effect === "execute"))
    return { verdict: "deny", reason: planReason };
  const asking = rules.filter((rule) => rule.verdict === "ask" && restricts(rule, touched));
  const ask = asking.find(({ locked }) => locked === true) ?? asking[0];
  const allows = rules.filter((rule) => rule.verdict === "allow");
  if (ask !== undefined) return judgeAsked(ask, allows, { action, touched, situation });
  const allow = coveringRule(allows, touched);
  return allow === undefined ? byMode(action, touched, situation) : byRule(allow, action);
}

/** A rule about hosts is one about calls that reach one; what such a call may carry away, no rule has allowed. */
function speaksOfAddress({ host, verdict }: Rule, { network }: JudgedAction): boolean {
  if (verdict === "allow" && network?.carries !== undefined) return false;
  return host === undefined || (network !== undefined && coversAddress(host, network, verdict));
}

interface AskedUse {
  readonly action: JudgedAction;
  readonly touched: readonly TouchedPath[];
  readonly situation: Situation;
}

/** A grant answers the question; and a rule that asks must not open what would be denied without it. */
function judgeAsked(ask: Rule, allows: readonly Rule[], { action, touched, situation }: AskedUse): Judgement {
  const grants = allows.filter((rule) => rule.source === "grant");
  const grant = coveringRule(grants, touched);
  if (grant !== undefined && ask.locked !== true) return byRule(grant, action);
  if (coveringRule(allows, touched) === undefined) {
    const unasked = byMode(action, touched, situation);
    if (unasked.verdict === "deny") return unasked;
  }
  return byRule(ask, action);
}

interface TouchedPath {
  readonly use: PathUse;
  readonly names: readonly string[];
  /** It would be written, and what stands there governs agents or tools. */
  readonly governs: boolean;
}

function touchedPath(use: PathUse, { workspace }: Situation): TouchedPath {
  const names = namesOfPath(use.real, workspace.cwd, workspace);
  // Judged below the workspace: a workspace may itself lie in some agent's folder.
  const inside = names.filter((name) => !name.startsWith("/"));
  const governs =
    use.access !== "read" && (use.governs === true || (inside.length === 0 ? names : inside).some(governsByPath));
  return { use, names: [...new Set([use.shown, ...names])], governs };
}

function restricts(rule: Rule, touched: readonly TouchedPath[]): boolean {
  const pattern = rulePath(rule);
  if (pattern === undefined) return true;
  // A rule nobody can read restricts everything it might speak of.
  return "problem" in pattern || touched.some(({ names }) => restrictsPath(pattern, names));
}

/** The first of the rules that together allow every path of the action. */
function coveringRule(rules: readonly Rule[], touched: readonly TouchedPath[]): Rule | undefined {
  if (touched.length === 0) return rules.find((rule) => rule.path === undefined);
  const covering = touched.map((path) => rules.find((rule) => allowsPath(rule, path)));
  return covering.every((rule) => rule !== undefined) ? covering[0] : undefined;
}

function allowsPath(rule: Rule, { use, governs }: TouchedPath): boolean {
  if (governs && !namesBehaviour(rule.path)) return false;
  const pattern = rulePath(rule);
  if (pattern === undefined) return true;
  if ("problem" in pattern) return false;
  // A regular expression may match in the middle of a name, so it opens nothing outside the workspace.
  if (pattern.type === "regex") return !use.shown.startsWith("/") && matchesPath(pattern, [use.shown]);
  return matchesPath(pattern, [use.shown, use.real]);
}

function byRule(rule: Rule, action: JudgedAction): Judgement {
  return judgementByRule(rule, action.paths.length === 0 ? quoteText(action.tool) : pathList(action.paths));
}

function byMode(action: JudgedAction, touched: readonly TouchedPath[], situation: Situation): Judgement {
  if (situation.policy.yolo) return { verdict: "allow", reason: "`--yolo` allows what no rule denies or asks about." };
  if (action.proposes !== undefined)
    return { verdict: "allow", reason: "It only proposes: nothing is changed until a user applies it." };
  switch (action.effect) {
    case "read":
      return judgeRead(action, situation);
    case "write":
      return judgeWrite(action, touched, situation);
    case "session":
      return allowed("It concerns nothing but the session.");
    case "delegate":
      return situation.mode !== "auto" && situation.policy.approval === "strict"
        ? asks("strict approval asks about everything no rule allows")
        : allowed("Whatever its agent does is judged by itself.");
    case "execute":
      return situation.mode !== "auto" && situation.policy.approval === "strict"
        ? strictDenial
        : asks(`${quoteText(action.tool)} acts outside the files of the workspace`);
    default:
      return unreachable(action.effect);
  }
}

function judgeRead(action: JudgedAction, situation: Situation): Judgement {
  const outside = firstOutside(action.paths, situation);
  if (outside !== undefined) return asks(`${quoteText(outside.shown)} lies outside the workspace`);
  if (action.network !== undefined) return judgeAddress(action.network, situation);
  if (action.paths.length === 0 && action.risk !== "low")
    return asks(`${quoteText(action.tool)} may reach beyond the workspace`);
  if (situation.policy.approval === "strict" && situation.mode !== "auto")
    return asks("strict approval asks about everything no rule allows");
  return { verdict: "allow", reason: "It only reads inside the workspace." };
}

/** A host that is open to every command is open to what only reads. */
function judgeAddress({ host, path, carries }: NetworkUse, { sandbox, policy, mode }: Situation): Judgement {
  if (carries !== undefined) return asks(`it would reach ${quoteText(host)}, and ${carries}`);
  const isOpen = sandbox.hosts.some((pattern) => coversAddress(pattern, { host, path }, "allow"));
  if (!isOpen) return asks(`it would reach ${quoteText(host)}`);
  return policy.approval === "strict" && mode !== "auto"
    ? asks("strict approval asks about everything no rule allows")
    : allowed(`You opened ${quoteText(host)} for every command.`);
}

function judgeWrite(action: JudgedAction, touched: readonly TouchedPath[], situation: Situation): Judgement {
  const strict = situation.policy.approval === "strict";
  if (situation.mode === "default" && strict) return strictDenial;
  const outside = firstOutside(action.paths, situation);
  if (outside !== undefined) return asks(`${quoteText(outside.shown)} lies outside the workspace`);
  const governing = touched.find((path) => path.governs);
  if (governing !== undefined) return asks(`${quoteText(governing.use.shown)} changes how agents or tools behave`);
  if (situation.mode === "auto") return allowed("Mode `auto` allows changes inside the workspace.");
  const isKnownFiles = action.paths.length > 0;
  if (situation.mode === "accept-edits" && isKnownFiles)
    return allowed("Mode `accept-edits` allows changes to files of the workspace.");
  if (situation.mode === "default" && situation.policy.approval === "permissive" && isKnownFiles) {
    return allowed("Permissive approval allows changes to files of the workspace.");
  }
  if (situation.mode === "accept-edits" && strict) return strictDenial;
  return asks(
    isKnownFiles
      ? `it changes ${pathList(action.paths)}`
      : `${quoteText(action.tool)} changes something other than named files`,
  );
}

const strictDenial: Judgement = { verdict: "deny", reason: "Strict approval denies what no rule allows." };

function firstOutside(paths: readonly PathUse[], situation: Situation): PathUse | undefined {
  return paths.find((use) => !use.real.startsWith("/") || !isInsideWorkspace(use.real, situation.workspace));
}

function pathList(paths: readonly PathUse[]): string {
  const first = quoteText(paths[0]?.shown ?? "");
  return paths.length < 2 ? first : `${first} and ${paths.length - 1} more`;
}

function asks(why: string): Judgement {
  return { verdict: "ask", reason: `Needs approval: ${why}.` };
}

function allowed(reason: string): Judgement {
  return { verdict: "allow", reason };
}
