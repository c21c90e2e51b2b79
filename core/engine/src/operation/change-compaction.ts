import { textTokens, tokenBudget } from "@capstan/context";
import { type Origin, type StepId, type Submission, modelName } from "@capstan/protocol";
import type { Summary } from "@capstan/wording";
import { maxEditedSummaryShare } from "../limits.ts";
import { type Decision, decision, type Refusal } from "../model/decision.ts";
import { requestTokens, type SessionState } from "@capstan/session";

type ChangeCompaction = Extract<Submission, { readonly type: "change-compaction" }>;

/** What a user does to a summary: its words are changed, the originals come back, or it stands in for them again. */
export function changeCompaction(
  state: SessionState,
  { compaction, change, submissionId }: ChangeCompaction,
  origin: Origin,
): Decision {
  const by = submissionId === undefined ? { origin } : { origin, submissionId };
  if (change.type === "edit")
    return decision([{ type: "compaction-edited", stepId: compaction, summary: change.summary.trim(), ...by }]);
  return change.type === "undo"
    ? decision([{ type: "compaction-selected", stepId: shownBefore(state)?.stepId ?? null, reason: "undone", ...by }])
    : decision([{ type: "compaction-selected", stepId: compaction, reason: "redone", ...by }]);
}

/** Why nothing would change, or would not stay changed. */
export function compactionProblem(state: SessionState, { compaction, change }: ChangeCompaction): Refusal | null {
  const { summaries, summary } = state;
  const isShown = summary?.stepId === compaction;
  if (!summaries.some(({ stepId }) => stepId === compaction))
    return { code: "compaction.unknown", reason: `this session has no summary ${compaction}` };
  switch (change.type) {
    case "edit":
      return editProblem(state, change.summary);
    case "undo":
      return isShown
        ? roomProblem(state, shownBefore(state))
        : { code: "compaction.unchanged", reason: notShown(compaction) };
    case "redo":
      return isShown
        ? { code: "compaction.unchanged", reason: `the model is shown the summary ${compaction} already` }
        : roomProblem(state, summaries.find(({ stepId }) => stepId === compaction) ?? null);
  }
}

function notShown(compaction: StepId): string {
  return `the summary ${compaction} is not what the model is shown`;
}

/** The summary that was made before the one that is shown; `null`: the originals. */
function shownBefore({ summaries, summary }: SessionState): Summary | null {
  return summaries.findLast(({ messageCount }) => messageCount < (summary?.messageCount ?? 0)) ?? null;
}

/** What does not fit would be summarised again before the next step. */
function roomProblem(state: SessionState, summary: Summary | null): Refusal | null {
  if (state.config === null) return null;
  const { model } = state.config;
  const [tokens, budget] = [requestTokens(state, model, { ...state, summary }), tokenBudget(model)];
  if (tokens <= budget) return null;
  const reason = `about ${Math.round(tokens)} tokens would be sent, and a request to ${modelName(model)} may have ${budget}`;
  return {
    code: "compaction.no-room",
    reason,
    hint: "Change the summary's words instead, or choose a model with a larger window.",
  };
}

function editProblem({ config }: SessionState, words: string): Refusal | null {
  if (words.trim() === "")
    return { code: "input.empty", reason: "an empty summary stands for nothing", hint: "Undo the compaction instead." };
  const most = config === null ? Infinity : Math.floor(maxEditedSummaryShare * tokenBudget(config.model));
  const tokens = Math.round(textTokens(words));
  if (tokens <= most) return null;
  const reason = `the summary has about ${tokens} tokens, and may have ${most}`;
  return { code: "compaction.no-room", reason, hint: "Write a shorter one." };
}
