import {
  aheadCostShare,
  aheadShare,
  isRuleCompactor,
  mostCostUsd,
  mostPromptTokens,
  requestOverheadTokens,
  summaryIn,
  tokenBudget,
  trimmedNotice,
} from "@capstan/context";
import {
  costOf,
  type JournalRecord,
  type ModelSettings,
  noUsage,
  type Usage,
  modelName,
  summarizerNamed,
} from "@capstan/protocol";
import { type Decision, decision, nothing } from "../model/decision.ts";
import type { Effect } from "../model/effect.ts";
import { type OpenCompaction, type OpenSummary, openTurnOf, requestTokens, type SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";
import { byRules, compactable, type Made, nextCompaction, type Spent, summarised, summaryCall } from "./compact.ts";
import { costLeft } from "./reserve-cost.ts";
import { isCurrent, retrySummary } from "./retry-step.ts";
import { retryTimer } from "./timers.ts";

export const noGain = "the summary would be longer than what it stands for";

/** Has the summary made that will be needed, beside the step that is about to be asked for, where the window is nearly full. */
export function summariseAhead(state: SessionState, model: ModelSettings): Decision {
  const { config, background, summary, summaries, triedMessages } = state;
  const shown = summary?.messageCount ?? 0;
  const isReady = background !== null || summaries.some(({ messageCount }) => messageCount > shown);
  if (isReady || config === null || isRuleCompactor(config.compactor)) return nothing;
  // Whoever is asked first is asked when the turn needs it.
  if (config.hooks?.some(({ event }) => event === "PreCompact") === true) return nothing;
  const goal = tokenBudget(model);
  const sent = requestTokens(state, model);
  if (sent < aheadShare * goal || sent > goal) return nothing;
  const messageCount = compactable(state, { model, goal });
  // What was given up is not tried again before there is twice as much to sum up.
  if (messageCount - shown <= 2 * Math.max(0, triedMessages - shown)) return nothing;
  return ask(state, { stepId: nextCompaction(state), messageCount, attempt: 1 });
}

/** What a summary beside the turn has come to. @returns `null` for what concerns something else */
export function fromBackground(state: SessionState, open: OpenSummary, stimulus: Stimulus): Decision | null {
  switch (stimulus.type) {
    case "model-parts":
      return stimulus.stepId === open.stepId ? nothing : null;
    case "model-finished":
      if (stimulus.stepId !== open.stepId) return null;
      return isCurrent(open, stimulus) ? finished(state, open, stimulus) : nothing;
    case "model-failed":
      if (stimulus.stepId !== open.stepId) return null;
      if (!isCurrent(open, stimulus)) return nothing;
      return retrySummary(state, open, stimulus) ?? withoutModel(state, open, stimulus.failure.message);
    case "timer-fired":
      if (stimulus.timerId !== retryTimer(open)) return null;
      return open.waiting ? askAgain(state, open) : nothing;
    default:
      return null;
  }
}

/** Asks once more after a restart: of what was asked before, nothing arrives. */
export function askAgain(state: SessionState, { stepId, messageCount, attempt }: OpenSummary): Decision {
  return ask(state, { stepId, messageCount, attempt: attempt + 1 });
}

/** The turn needs the summary that is being made beside it: it waits, and the attempts continue. */
export function waitForSummary(open: OpenSummary, started: Pick<Started, "turnId" | "reason">): Decision {
  const { stepId, messageCount, attempt, model } = open;
  const asked = { stepId, messageCount, attempt, ...(model === null ? {} : { model }) };
  return decision([{ type: "compaction-started", ...asked, ...started }]);
}

/** Stops a summary that the records took out of the state without an end of its own. */
export function stopDropped(
  { background }: SessionState,
  after: SessionState,
  ended: readonly JournalRecord[],
): Decision {
  if (background === null || after.background?.stepId === background.stepId) return nothing;
  const { stepId } = background;
  const isWaitedFor = "stepId" in after.operation && after.operation.stepId === stepId;
  const hasEnded = ended.some((record) => "stepId" in record && record.stepId === stepId);
  if (isWaitedFor || hasEnded) return nothing;
  return decision([], stopEffects(background));
}

/** What an answer cost that was to be a summary. */
export function spentOn(state: SessionState, { model }: OpenCompaction, usage: Usage): Spent {
  const { config } = state;
  const asked = config === null ? null : summarizerNamed(config, model, openTurnOf(state)?.model ?? null);
  return { usage, costUsd: costOf(usage, asked?.prices) };
}

type Started = Extract<JournalRecord, { type: "compaction-started" }>;
type Finished = Extract<Stimulus, { type: "model-finished" }>;
type Call = Extract<Effect, { type: "call-model" }>;

function ask(state: SessionState, asked: Pick<OpenSummary, "stepId" | "messageCount" | "attempt">): Decision {
  const call = summaryCall(state, asked);
  if (call === null) return nothing;
  const mayCostUsd = mostCost(state, call);
  if (mayCostUsd > aheadCostShare * costLeft({ ...state, background: null })) {
    const message = "it could cost more than may be spent on it";
    return asked.attempt === 1 ? nothing : decision([{ type: "summary-dropped", stepId: asked.stepId, message }]);
  }
  const cost = mayCostUsd === 0 ? {} : { mayCostUsd };
  return decision([{ type: "summary-started", ...asked, model: modelName(call.model), ...cost }], [call]);
}

/** USD that a call can cost at most; 0 where no prices are known. What the vendor counted of the whole bounds a part of it. */
function mostCost({ measured }: SessionState, { model, request }: Call): number {
  const { prices } = model;
  const counted = measured?.model === modelName(model) ? measured.tokens + requestOverheadTokens : Infinity;
  const inputTokens = Math.min(counted, mostPromptTokens(request));
  return prices === undefined ? 0 : mostCostUsd({ inputTokens, outputTokens: request.maxOutputTokens, prices });
}

function finished(state: SessionState, open: OpenSummary, { finish }: Finished): Decision {
  const spent = spentOn(state, open, finish.usage);
  const { text, problem } = summaryIn(finish);
  if (problem !== null) return withoutModel(state, open, problem, spent);
  const made = summarised(state, open, { summary: text, ...spent });
  return made.gains ? decision([ready(made)]) : dropped(open, spent);
}

function withoutModel(
  state: SessionState,
  open: OpenSummary,
  problem: string,
  spent: Spent = { usage: noUsage, costUsd: 0 },
): Decision {
  const made = byRules(state, open, spent);
  return made.gains ? decision([ready(made), trimmedNotice(problem)]) : dropped(open, spent);
}

function ready({ fields }: Made): JournalRecord {
  return { type: "summary-made", ...fields };
}

function dropped({ stepId }: OpenSummary, spent: Spent): Decision {
  return decision([{ type: "summary-dropped", stepId, message: noGain, ...spent }]);
}

function stopEffects(open: OpenSummary): readonly Effect[] {
  return [
    { type: "stop-model", stepId: open.stepId },
    { type: "stop-timer", timerId: retryTimer(open) },
  ];
}
