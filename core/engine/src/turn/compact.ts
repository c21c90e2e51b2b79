import {
  chooseCut,
  chooseRuleCut,
  type CutBounds,
  distillLimitMs,
  isRuleCompactor,
  keptBeside,
  readableShare,
  shorterResults,
  summaryByRules,
  summaryLimitMs,
  targetShare,
  tokenBudget,
  trimmedNotice,
} from "@capstan/context";
import {
  type CompactionReason,
  type JournalRecord,
  type ModelSettings,
  noUsage,
  toStepId,
  modelName,
  modelNamed,
  summarizerOf,
} from "@capstan/protocol";
import { maxSummaryTokens, type Shown, type Summary, summaryRequest } from "@capstan/wording";
import { askHooks } from "./ask-hooks.ts";
import {
  calibrationOf,
  configNow,
  guessedTokens,
  type OpenTurn,
  openTurnOf,
  preambleSize,
  requestTokens,
  type SessionState,
} from "@capstan/session";
import { andThen, type Decision, decision } from "../model/decision.ts";
import type { Effect } from "../model/effect.ts";

type Started = Extract<JournalRecord, { type: "compaction-started" }>;
type Completed = Extract<JournalRecord, { type: "compaction-completed" }>;
type Compaction = Pick<Started, "stepId" | "messageCount" | "attempt">;

interface Wanted {
  readonly model: ModelSettings;
  /** Tokens that the next request may have. */
  readonly goal: number;
  readonly reason: CompactionReason;
}

/** Has older messages summarised before the turn's next step; `null`: none can be. */
export function compactForTurn(state: SessionState, { turnId }: OpenTurn, wanted: Wanted): Decision | null {
  const isByRules = isRuleCompactor(state.config?.compactor);
  const bounds = { ...boundsOf(state, wanted), ...(isByRules ? { readable: Infinity } : {}) };
  const early = chooseRuleCut(state.conversation, bounds);
  const messageCount = early === 0 ? chooseCut(state.conversation, bounds) : early;
  if (messageCount === 0) return null;
  const compaction = { stepId: nextCompaction(state), messageCount };
  const started = { type: "compaction-started", ...compaction, attempt: 1, turnId, reason: wanted.reason } as const;
  if (early === 0) return askForSummary(state, started);
  const records = summarisedByRules(state, compaction, "they are more than it can read at once");
  return decision([started, ...records], [{ type: "pack-context", turnId }]);
}

/** How many of the first messages a summary may stand for, so that the rest has room. */
export function compactable(state: SessionState, wanted: Omit<Wanted, "reason">): number {
  return chooseCut(state.conversation, boundsOf(state, wanted));
}

function boundsOf(state: SessionState, { model, goal }: Omit<Wanted, "reason">): CutBounds {
  const preamble = preambleSize(state) + maxSummaryTokens;
  const reader = summarizerOf(state.config ?? {}, model);
  // One document takes the place of as much as it can.
  const share = state.config?.compactor === "distill" ? 0 : targetShare;
  return {
    already: state.summary?.messageCount ?? 0,
    room: Math.max(0, (share * goal) / calibrationOf(state, model) - preamble),
    readable: Math.max(0, (readableShare * tokenBudget(reader)) / calibrationOf(state, reader) - preamble),
  };
}

export function nextCompaction({ sessionId, compactions }: SessionState): Started["stepId"] {
  return toStepId(`${sessionId ?? "session"}.c${compactions + 1}`);
}

/** Has a summary made, once hooks have nothing against it. */
export function askForSummary(state: SessionState, started: Started): Decision {
  const call = summaryCall(state, started);
  if (call === null) return decision([started]);
  const name = openTurnOf(state) === null ? "manual" : "auto";
  const compactor = state.config?.compactor ?? "summarizer";
  const facts = { name, compactor };
  const moment = { event: "PreCompact", key: `PreCompact:${started.stepId}`, names: [name], facts } as const;
  const asked = decision([isRuleCompactor(compactor) ? started : { ...started, model: modelName(call.model) }]);
  return andThen(state, asked, (next) => askHooks(next, [moment]) ?? makeSummary(next, started));
}

/** Nothing stands in the way of a summary: rules make it at once, or a model is asked for it. */
export function makeSummary(state: SessionState, compaction: Compaction): Decision {
  const compactor = state.config?.compactor;
  if (isRuleCompactor(compactor)) {
    const why = compactor === "rules" ? "as context.infinity = false says" : `context.compactor = "${compactor}"`;
    const turn = openTurnOf(state);
    const effects = turn === null ? [] : [{ type: "pack-context", turnId: turn.turnId } as const];
    return decision(summarisedByRules(state, compaction, why), effects);
  }
  const call = summaryCall(state, compaction);
  return decision([], call === null ? [] : [call]);
}

/** The call that asks for a summary; `null`: the session was never configured. */
export function summaryCall(
  state: SessionState,
  { stepId, messageCount, attempt }: Compaction,
): Extract<Effect, { type: "call-model" }> | null {
  const config = configNow(state);
  if (config === null) return null;
  const model = summarizerOf(config, modelNamed(config, openTurnOf(state)?.model ?? null));
  const older = state.conversation.slice(0, messageCount);
  const request = summaryRequest(config, model, readable(state, model, messageCount), older);
  const limitMs = config.compactor === "distill" ? distillLimitMs : summaryLimitMs;
  return { type: "call-model", stepId, attempt, model, request, limitMs };
}

/** Long results are cut for whoever summarises, until they can read it all. */
function readable(state: SessionState, model: ModelSettings, messageCount: number): Shown {
  const { summary } = state;
  const older = { ...state, conversation: state.conversation.slice(0, messageCount) };
  const most = (readableShare * tokenBudget(model) - maxSummaryTokens) / calibrationOf(state, model);
  const whole: Shown = { summary, shortened: state.shortened };
  const shown = [whole, ...shorterResults.map((characters) => ({ summary, shortened: { messageCount, characters } }))];
  return shown.find((each) => guessedTokens(older, each) <= most) ?? shown.at(-1) ?? whole;
}

/** What is known of a summary when it is there. `gains`: with it, the next request is shorter. */
export interface Made {
  readonly gains: boolean;
  readonly fields: Omit<Completed, "type">;
}

/** Weighs a summary, and chooses what stays word for word beside it. */
export function summarised(
  state: SessionState,
  { stepId, messageCount }: Pick<Completed, "stepId" | "messageCount">,
  made: Pick<Completed, "summary" | "usage" | "costUsd" | "by">,
): Made {
  const kept = keptBeside(state, { messageCount, turn: openTurnOf(state), budgetTokens: budgetNow(state) });
  const shown: Summary = { stepId, text: made.summary, messageCount, kept, tasks: state.tasks };
  const [before, after] = [sizeNow(state, state.summary), sizeNow(state, shown)];
  const compactor = state.config?.compactor;
  const by = { ...made, ...(compactor === undefined ? {} : { compactor }), ...(kept.length === 0 ? {} : { kept }) };
  return { gains: after < before, fields: { stepId, messageCount, ...by, tokens: { before, after } } };
}

/** What an answer cost that was no summary. */
export type Spent = Pick<Completed, "usage" | "costUsd">;

/** Ends a compaction by rules, where no model could summarise and the turn has to continue. */
export function summarisedByRules(
  state: SessionState,
  compaction: Pick<Completed, "stepId" | "messageCount">,
  problem: string,
  spent: Spent = { usage: noUsage, costUsd: 0 },
): readonly JournalRecord[] {
  return [{ type: "compaction-completed", ...byRules(state, compaction, spent).fields }, trimmedNotice(problem)];
}

/** A summary that no model wrote. */
export function byRules(
  state: SessionState,
  compaction: Pick<Completed, "stepId" | "messageCount">,
  spent: Spent,
): Made {
  const { summary, conversation } = state;
  const older = conversation.slice(summary?.messageCount ?? 0, compaction.messageCount);
  const source = { before: summary?.text ?? null, messages: older, budgetTokens: budgetNow(state) };
  const text = summaryByRules(state.config?.compactor, source);
  return summarised(state, compaction, { summary: text, by: "rules", ...spent });
}

function sizeNow(state: SessionState, summary: Summary | null): number {
  const config = configNow(state);
  if (config === null) return 0;
  return Math.round(requestTokens(state, modelNamed(config, openTurnOf(state)?.model ?? null), { ...state, summary }));
}

function budgetNow(state: SessionState): number {
  const config = configNow(state);
  return config === null ? 0 : tokenBudget(modelNamed(config, openTurnOf(state)?.model ?? null));
}
