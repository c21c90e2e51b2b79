import {
  chooseCut,
  chooseRuleCut,
  type CutBounds,
  keptWords,
  readableShare,
  ruleSummary,
  type Said,
  shorterResults,
  targetShare,
  tokenBudget,
} from "@capstan/context";
import {
  canonicalJson,
  type CompactionReason,
  type JournalRecord,
  type KeptWords,
  type ModelSettings,
  noUsage,
  toStepId,
} from "@capstan/protocol";
import { maxSummaryTokens, type Shown, type Summary, summaryRequest } from "@capstan/wording";
import { andThen } from "../evolve/and-then.ts";
import { askHooks } from "./ask-hooks.ts";
import { configNow } from "../model/config-now.ts";
import { type Decision, decision, nothing } from "../model/decision.ts";
import { openTurnOf } from "../model/open-turn-of.ts";
import type { OpenTurn, SessionState } from "../model/state.ts";
import { modelNamed } from "../model/step-model.ts";
import { calibrationOf, guessedTokens, preambleSize, requestTokens } from "../projection/request-size.ts";

type Started = Extract<JournalRecord, { type: "compaction-started" }>;
type Completed = Extract<JournalRecord, { type: "compaction-completed" }>;

interface Wanted {
  readonly model: ModelSettings;
  /** Tokens that the next request may have. */
  readonly goal: number;
  readonly reason: CompactionReason;
}

/** Has older messages summarised before the turn's next step; `null`: none can be. */
export function compactForTurn(state: SessionState, { turnId }: OpenTurn, wanted: Wanted): Decision | null {
  const isByRules = state.config?.summaries === "rules";
  const bounds = { ...boundsOf(state, wanted), ...(isByRules ? { readable: Infinity } : {}) };
  const early = chooseRuleCut(state.conversation, bounds);
  const messageCount = early === 0 ? chooseCut(state.conversation, bounds) : early;
  if (messageCount === 0) return null;
  const compaction = { stepId: nextCompaction(state), messageCount };
  const started = { type: "compaction-started", ...compaction, attempt: 1, turnId, reason: wanted.reason } as const;
  if (!isByRules && early === 0) return askForSummary(state, started);
  const why = isByRules ? "as context.infinity = false says" : "they are more than it can read at once";
  return decision([started, ...summarisedByRules(state, compaction, why)], [{ type: "pack-context", turnId }]);
}

/** How many of the first messages a summary may stand for, so that the rest has room. */
export function compactable(state: SessionState, wanted: Omit<Wanted, "reason">): number {
  return chooseCut(state.conversation, boundsOf(state, wanted));
}

function boundsOf(state: SessionState, { model, goal }: Omit<Wanted, "reason">): CutBounds {
  const calibration = calibrationOf(state, model);
  const preamble = preambleSize(state) + maxSummaryTokens;
  return {
    already: state.summary?.messageCount ?? 0,
    room: Math.max(0, (targetShare * goal) / calibration - preamble),
    readable: Math.max(0, (readableShare * tokenBudget(model)) / calibration - preamble),
  };
}

export function nextCompaction({ sessionId, compactions }: SessionState): Started["stepId"] {
  return toStepId(`${sessionId ?? "session"}.c${compactions + 1}`);
}

/** Asks the model for a summary, once hooks have nothing against it. */
export function askForSummary(state: SessionState, started: Started): Decision {
  const name = openTurnOf(state) === null ? "manual" : "auto";
  const moment = { event: "PreCompact", key: `PreCompact:${started.stepId}`, names: [name], facts: { name } } as const;
  return andThen(state, decision([started]), (next) => askHooks(next, [moment]) ?? callForSummary(next, started));
}

export function callForSummary(
  state: SessionState,
  compaction: Pick<Started, "stepId" | "messageCount" | "attempt">,
): Decision {
  const { stepId, messageCount, attempt } = compaction;
  const config = configNow(state);
  if (config === null) return nothing;
  const model = modelNamed(config, openTurnOf(state)?.model ?? null);
  const older = state.conversation.slice(0, messageCount);
  const request = summaryRequest(config, model, readable(state, model, messageCount), older);
  return decision([], [{ type: "call-model", stepId, attempt, model, request }]);
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

/** Ends a compaction by the model's summary. */
export function summarised(
  state: SessionState,
  { stepId, messageCount }: Pick<Completed, "stepId" | "messageCount">,
  made: Pick<Completed, "summary" | "usage" | "costUsd">,
): Completed {
  const kept = keptBeside(state, messageCount);
  const completed = { type: "compaction-completed", stepId, messageCount, ...made } as const;
  const after: Summary = { stepId, text: made.summary, messageCount, kept, tasks: state.tasks };
  const tokens = { before: sizeNow(state, state.summary), after: sizeNow(state, after) };
  return { ...completed, ...(kept.length === 0 ? {} : { kept }), tokens };
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
  const { summary, conversation } = state;
  const older = conversation.slice(summary?.messageCount ?? 0, compaction.messageCount);
  const made = { summary: ruleSummary(summary?.text ?? null, older, budgetNow(state)), ...spent };
  const text = `Earlier messages were left out without a model's summary (${problem}). What binds stays word for word; all of it stays in the session.`;
  return [
    { ...summarised(state, compaction, made), by: "rules" },
    { type: "notice", level: "warning", code: "context.trimmed", text },
  ];
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

function keptBeside(state: SessionState, messageCount: number): readonly KeptWords[] {
  const { summary } = state;
  const turn = openTurnOf(state);
  const isPast = turn !== null && turn.messagesBefore < messageCount;
  const texts = (turn?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
  return keptWords({
    before: summary?.kept ?? [],
    said: saidIn(state, summary?.messageCount ?? 0, messageCount),
    request: isPast && texts.length > 0 ? texts.join("\n") : null,
    budgetTokens: budgetNow(state),
  });
}

/** What users and the model said, without tool results and without the facts that stand before a turn's words. */
function saidIn({ conversation, turns, knownFacts }: SessionState, from: number, to: number): readonly Said[] {
  const withFacts = new Set(
    turns.flatMap(({ messagesBefore, knownBefore }, index) => {
      if (messagesBefore < from || messagesBefore >= to) return [];
      const after = turns[index + 1]?.knownBefore ?? knownFacts;
      return canonicalJson(after) === canonicalJson(knownBefore) ? [] : [messagesBefore];
    }),
  );
  return conversation.slice(from, to).flatMap((message, index) => {
    if (message.content.some((block) => block.type === "tool-result")) return [];
    const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const words = withFacts.has(from + index) && texts.length > 1 ? texts.slice(1) : texts;
    return words.map((text) => ({ by: message.role === "user" ? ("user" as const) : ("model" as const), text }));
  });
}
