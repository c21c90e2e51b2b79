import type { CommandForm, Judgement, Rule } from "@capstan/protocol";
import { type CommandRules, commandRules, onTexts } from "../rules/command-rules.ts";
import type { SegmentJudgement } from "./judge-segment.ts";
import { judgeSegments } from "./judge-segments.ts";
import type { LexedScript } from "../commands/lexer.ts";
import { judgeNested } from "./judge-nested.ts";
import { lexForm } from "../lex-form.ts";
import { blockedReason, takesOtherRights } from "../commands/blocklist.ts";
import { quoteCommand, quoteText } from "../quote-for-people.ts";
import { byHostRule, confinementWarnings, hostRule, judgeConfinement, runsInBox } from "./judge-confinement.ts";
import {
  denialOf,
  exactAllowanceOf,
  questionOf,
  type RestrictedSubject,
  textSubject,
} from "../rules/rules-on-commands.ts";
import { changesWorkspace, type CommandAction, planReason, runsIsolated, type Situation } from "../situation.ts";
import { hiddenScript } from "../commands/wrappers.ts";

/** A command's judgement with how it came about. */
export interface CommandJudgement {
  readonly lexed: LexedScript;
  /** One per command of the script; empty when the script was not understood. */
  readonly segments: readonly SegmentJudgement[];
  readonly judgement: Judgement;
}

/** Decides about a command: every part by itself, then the whole by its strictest part. */
export function judgeCommand(action: CommandAction, situation: Situation): CommandJudgement {
  const judged = judgeByPolicy(action, situation);
  const { form, cwd, nested } = action.command;
  const subject = { lexed: judged.lexed, nested, text: textOf(form), cwd, workspace: situation.workspace };
  const blocked = blockedReason(subject);
  if (blocked !== undefined) {
    const reason = `The blocklist stops it: ${blocked}. No rule, approval, trust or \`--yolo\` lifts that; if it is wanted, a user does it.`;
    return { ...judged, judgement: { verdict: "deny", reason } };
  }
  if (judged.judgement.verdict !== "allow" || !takesOtherRights(subject)) return judged;
  return { ...judged, judgement: asks("it would run with another user's rights") };
}

/** What mode and rules decide, before the blocklist. */
export function judgeByPolicy(action: CommandAction, situation: Situation): CommandJudgement {
  const rules = commandRules(action, situation);
  const judged = withWarnings(judgeByRules(action, rules, situation), action, situation);
  if (judged.judgement.verdict !== "ask" || judged.judgement.rule === undefined) return judged;
  // A rule that asks must not open what would be denied without it: a project's rules may only restrict.
  const { judgement } = judgeByRules(action, withoutQuestions(rules), withoutAskRules(situation));
  return judgement.verdict === "deny" ? { ...judged, judgement } : judged;
}

function judgeByRules(action: CommandAction, rules: CommandRules, situation: Situation): CommandJudgement {
  const { form } = action.command;
  const lexed = lexForm(form);
  const segments = lexed.type === "plain" ? judgeSegments(lexed.commands, rules, situation) : [];
  return { lexed, segments, judgement: judgeWhole({ action, lexed, form, segments, rules, situation }) };
}

function withWarnings(judged: CommandJudgement, action: CommandAction, situation: Situation): CommandJudgement {
  const warnings = judged.judgement.verdict === "ask" ? confinementWarnings(action, situation) : [];
  return warnings.length === 0 ? judged : { ...judged, judgement: { ...judged.judgement, warnings } };
}

function withoutAskRules(situation: Situation): Situation {
  const rules = situation.policy.rules.filter(({ verdict }) => verdict !== "ask");
  return { ...situation, policy: { ...situation.policy, rules } };
}

function withoutQuestions(rules: CommandRules): CommandRules {
  return {
    ...rules,
    own: rules.own.filter(({ rule }) => rule.verdict !== "ask"),
    files: rules.files.filter(({ rule, protectsReading }) => rule.verdict === "deny" && protectsReading),
  };
}

interface WholeCommand {
  readonly action: CommandAction;
  readonly lexed: LexedScript;
  readonly form: CommandForm;
  readonly segments: readonly SegmentJudgement[];
  readonly rules: CommandRules;
  readonly situation: Situation;
}

function judgeWhole(whole: WholeCommand): Judgement {
  const { lexed, form, segments, rules, situation } = whole;
  const textRules = wholeTextRules(rules, lexed);
  const subject = textSubject(textOf(form), textRules, whole.action.command.nested.length > 0);
  const denial = denialFor(whole, subject, textRules);
  if (denial !== undefined) return denial;
  if (situation.mode === "plan") return inPlanMode(whole, questionFor(whole, subject, textRules));
  const confined = confinementFor(whole);
  if (confined !== undefined && confined.verdict !== "ask") return confined;
  const exact = form.type === "script" ? exactAllowanceOf(form.script, rules) : undefined;
  const question = questionFor(whole, subject, textRules);
  if (question !== undefined) return isAnswered(question, exact) ? (exact ?? question) : question;
  return confined ?? exact ?? allAllowed(segments) ?? byMode(whole);
}

/** What the sandbox, or its absence, means for it. */
function confinementFor(whole: WholeCommand): Judgement | undefined {
  const confined = judgeConfinement(whole.action, whole.situation);
  return confined?.verdict === "deny" && mayRunAsAsked(whole) ? undefined : confined;
}

/**
 * Whether the command line of the process says that it may run although nothing keeps it apart and nobody can be asked: `--yolo`, or
 * rules that were given there. Rules from elsewhere were written for commands in a sandbox, or for someone who is asked.
 */
function mayRunAsAsked({ action, lexed, form, rules, situation }: WholeCommand): boolean {
  const { sandbox, policy } = situation;
  if (sandbox.withoutIsolation !== "refuse-unless-reported" || runsIsolated(action, situation)) return false;
  if (policy.yolo) return true;
  const given = { ...rules, own: rules.own.filter(({ rule }) => isGiven(rule)) };
  if (form.type === "script" && exactAllowanceOf(form.script, given) !== undefined) return true;
  const segments = lexed.type === "plain" ? judgeSegments(lexed.commands, given, situation) : [];
  return (
    segments.some(({ judgement }) => isGiven(judgement?.rule)) &&
    segments.every(({ judgement }) => judgement?.verdict === "allow")
  );
}

function isGiven(rule: Rule | undefined): boolean {
  return rule?.source === "flag";
}

function denialFor(
  { action, lexed, segments, rules, situation }: WholeCommand,
  subject: RestrictedSubject,
  textRules: CommandRules,
): Judgement | undefined {
  const host = hostRule(action, situation, "deny");
  return (
    firstWith(segments, "deny") ??
    judgeNested(action.command.nested, lexed, rules, denialOf) ??
    denialOf(subject, textRules) ??
    (host === undefined ? undefined : byHostRule(host))
  );
}

function questionFor(
  { action, lexed, segments, rules, situation }: WholeCommand,
  subject: RestrictedSubject,
  textRules: CommandRules,
): Judgement | undefined {
  const host = hostRule(action, situation, "ask");
  const questions = [
    ...segments.map(({ judgement }) => (judgement?.verdict === "ask" ? judgement : undefined)),
    judgeNested(action.command.nested, lexed, rules, questionOf),
    questionOf(subject, textRules),
    host === undefined ? undefined : byHostRule(host),
  ];
  // One that nothing answers must not hide behind one that a grant does.
  return (
    questions.find((question) => question?.rule?.locked === true) ??
    questions.find((question) => question !== undefined)
  );
}

/** A grant answers a question, unless its rule is locked. */
function isAnswered(question: Judgement, exact: Judgement | undefined): boolean {
  return exact?.rule?.source === "grant" && question.rule?.locked !== true;
}

/** No shell without a sandbox: what a command only reads does not follow from its words with enough certainty. */
function inPlanMode({ action, situation }: WholeCommand, question: Judgement | undefined): Judgement {
  const { confinement } = action.command;
  if (!runsIsolated(action, situation) || confinement.type !== "sandbox") {
    return { verdict: "deny", reason: `${planReason} There is no sandbox here, so plan mode has no shell.` };
  }
  const wantsMore = confinement.hosts.length > 0 || confinement.writable.length > 0;
  if (confinement.workspace !== "read" || wantsMore) return { verdict: "deny", reason: planReason };
  return question ?? { verdict: "allow", reason: "It runs in the sandbox, which lets it read and change nothing." };
}

/** What rules say of the text as a whole: everything when its commands are uncertain, else only what no single command can show. */
function wholeTextRules(rules: CommandRules, lexed: LexedScript): CommandRules {
  return lexed.type === "opaque"
    ? rules
    : {
        ...rules,
        own: onTexts(rules.own),
        files: [],
      };
}

function firstWith(segments: readonly SegmentJudgement[], verdict: "deny" | "ask"): Judgement | undefined {
  return segments.find(({ judgement }) => judgement?.verdict === verdict)?.judgement;
}

function allAllowed(segments: readonly SegmentJudgement[]): Judgement | undefined {
  const [first] = segments;
  if (first === undefined || !segments.every(({ judgement }) => judgement?.verdict === "allow")) return undefined;
  if (segments.length === 1) return first.judgement;
  const rule = segments.find(({ judgement }) => judgement?.rule !== undefined)?.judgement?.rule;
  return rule === undefined
    ? { verdict: "allow", reason: "Every command of the script only reads inside the workspace." }
    : { verdict: "allow", reason: "Every command of the script is allowed by a rule or only reads.", rule };
}

function byMode({ action, lexed, form, segments, rules, situation }: WholeCommand): Judgement {
  if (situation.policy.yolo) return { verdict: "allow", reason: "`--yolo` allows what no rule denies or asks about." };
  if (situation.policy.approval === "strict" && situation.mode !== "auto") {
    return { verdict: "deny", reason: "Strict approval denies what no rule allows." };
  }
  if (rules.isCwdInside && runsInBox(action, situation)) {
    return {
      verdict: "allow",
      reason: `It runs in the sandbox, where it can change nothing but ${changeable(action)}.`,
    };
  }
  const doubt = lexed.type === "opaque" ? lexed.why : lexed.commands.map(hiddenScript).find((why) => why !== undefined);
  if (doubt !== undefined) return asks(`${quoteText(textOf(form))} has ${doubt}, so its effect is not certain`);
  if (!rules.isCwdInside) return asks("the command would start outside the workspace");
  if (situation.mode === "auto" && situation.sandbox.withoutIsolation === "run")
    return { verdict: "allow", reason: "Mode `auto` allows commands that are fully understood." };
  const open = segments.find(({ judgement }) => judgement === undefined);
  const why = open === undefined || open.safety.safe ? "" : ` (${open.safety.why})`;
  return asks(`no rule allows ${quoteCommand(open?.words ?? [])}${why}`);
}

function changeable(action: CommandAction): string {
  return changesWorkspace(action) ? "the workspace" : "build folders of the workspace";
}

function asks(why: string): Judgement {
  return { verdict: "ask", reason: `Needs approval: ${why}.` };
}

function textOf(form: CommandForm): string {
  return form.type === "script" ? form.script : form.argv.join(" ");
}
