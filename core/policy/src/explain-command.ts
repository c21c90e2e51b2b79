import type { CommandForm, Judgement } from "@capstan/protocol";
import { type CommandJudgement, judgeCommand } from "./judge/judge-command.ts";
import type { SegmentJudgement } from "./judge/judge-segment.ts";
import { quoteCommand } from "./quote-for-people.ts";
import { liveRules } from "./rules/live-rules.ts";
import type { CommandAction, Situation } from "./situation.ts";

/** What decided about one command of a script, and why. */
export interface ExplainedSegment {
  readonly words: readonly string[];
  readonly decidedBy: "rule" | "reading-list" | "mode";
  readonly judgement: Judgement;
}

/** How a command's judgement came about, as plain data. */
export interface CommandExplanation {
  readonly form: CommandForm;
  /** What the script has that was not understood, as the end of "the script has …"; `undefined`: it was understood whole. */
  readonly notUnderstood?: string;
  /** Empty when the script was not understood. */
  readonly segments: readonly ExplainedSegment[];
  readonly judgement: Judgement;
}

/** Judges a command, and each of its parts by itself. */
export function explainCommand(
  { tool, effect, risk, paths, command }: CommandAction,
  situation: Situation,
): CommandExplanation {
  const { form } = command;
  const explain = (explained: CommandForm): CommandJudgement => {
    const action: CommandAction = { tool, effect, risk, paths, command: { ...command, form: explained } };
    return judgeCommand(action, { ...situation, policy: { ...situation.policy, rules: liveRules(action, situation) } });
  };
  const { lexed, segments, judgement } = explain(form);
  return {
    form,
    ...(lexed.type === "opaque" ? { notUnderstood: lexed.why } : {}),
    segments: segments.map((segment) => explainSegment(segment, explain({ type: "argv", argv: segment.words }))),
    judgement,
  };
}

function explainSegment({ words, safety, judgement }: SegmentJudgement, alone: CommandJudgement): ExplainedSegment {
  if (judgement !== undefined) {
    return { words, decidedBy: judgement.rule === undefined ? "reading-list" : "rule", judgement };
  }
  const passesAlone = alone.segments.some((segment) => segment.judgement !== undefined);
  if (!passesAlone || safety.safe) return { words, decidedBy: "mode", judgement: alone.judgement };
  // Beside a command that changes the shell it is not certain to only read.
  const reason = `Needs approval: ${quoteCommand(words)} would pass alone, but ${safety.why}.`;
  return { words, decidedBy: "mode", judgement: { verdict: "ask", reason } };
}
