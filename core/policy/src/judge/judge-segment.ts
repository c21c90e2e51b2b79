import type { Judgement } from "@capstan/protocol";
import type { CommandRules, FileRule } from "../rules/command-rules.ts";
import { knownSafe, readsWholeFolders, type Safety } from "../commands/known-safe.ts";
import { quoteCommand } from "../quote-for-people.ts";
import { allowanceOf, commandSubject, denialOf, questionOf } from "../rules/rules-on-commands.ts";
import type { Situation } from "../situation.ts";

/** What is to be said about one command of a script. */
export interface SegmentJudgement {
  readonly words: readonly string[];
  readonly safety: Safety;
  /** `undefined`: neither a rule nor the list of reading commands decides; the mode does. */
  readonly judgement: Judgement | undefined;
}

/**
 * Judges one understood command by rules and by the list of reading commands.
 * @param distrust  why the list does not hold here; `undefined`: it does
 */
export function judgeSegment(
  words: readonly string[],
  rules: CommandRules,
  situation: Situation,
  distrust?: string,
): SegmentJudgement {
  const safety: Safety = distrust === undefined ? safetyOf(words, rules, situation) : { safe: false, why: distrust };
  const subject = commandSubject(words, rules, safety.safe);
  const denial = denialOf(subject, rules);
  if (denial !== undefined) return { words, safety, judgement: denial };
  const question = questionOf(subject, rules);
  const allowance =
    allowanceOf(words, onlyGrants(rules, question !== undefined)) ?? allowanceBySafety(words, safety, situation);
  const overridden = question === undefined || (allowance?.rule?.source === "grant" && question.rule?.locked !== true);
  return { words, safety, judgement: overridden ? allowance : question };
}

function safetyOf(words: readonly string[], rules: CommandRules, situation: Situation): Safety {
  if (!rules.isCwdInside) return { safe: false, why: "it would start outside the workspace" };
  if (readsWholeFolders(words) && rules.files.some((rule) => mustBeNamed(rule, rules))) {
    return {
      safe: false,
      why: "it reads whole folders while a rule protects some files; the search tool keeps such rules",
    };
  }
  return knownSafe(words, situation.workspace);
}

/** Whether it depends on words that nothing reads what a rule protects: no sandbox keeps it. */
export function mustBeNamed({ protectsReading, kept }: FileRule, { box }: CommandRules): boolean {
  return protectsReading && (box === undefined || kept === undefined);
}

function onlyGrants(rules: CommandRules, isAsked: boolean): CommandRules {
  return isAsked ? { ...rules, own: rules.own.filter(({ rule }) => rule.source === "grant") } : rules;
}

function allowanceBySafety(
  words: readonly string[],
  safety: Safety,
  { mode, policy }: Situation,
): Judgement | undefined {
  if (!safety.safe || (policy.approval === "strict" && mode !== "auto")) return undefined;
  return { verdict: "allow", reason: `${quoteCommand(words)} only reads inside the workspace.` };
}
