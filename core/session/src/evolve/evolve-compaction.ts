import { tokenBudget } from "@capstan/context";
import { addUsage, type CompactionRecord, type JournalRecord, unreachable, modelNamed } from "@capstan/protocol";
import type { Summary } from "@capstan/wording";
import { openTurnOf } from "../model/open-turn-of.ts";
import type { OpenTurn, SessionState } from "../model/state.ts";
import { closeBatch } from "./close-batch.ts";

type Of<Type extends CompactionRecord["type"]> = Extract<JournalRecord, { type: Type }>;

export function evolveCompaction(state: SessionState, record: CompactionRecord): SessionState {
  switch (record.type) {
    case "compaction-started":
      return start(state, record);
    case "compaction-completed":
      return complete(state, record);
    case "compaction-failed":
      return isOpen(state, record.stepId) ? afterwards(withCost(state, record)) : state;
    case "compaction-selected":
      return select(state, record);
    case "compaction-edited":
      return edit(state, record);
    case "results-shortened": {
      const { messageCount, characters } = record;
      const shortened = { ...state.shortened, messageCount, characters };
      return prepared({ ...state, shortened, summaryBudget: budgetOf(state) });
    }
    case "results-kept": {
      const { shortened } = state;
      const files = Object.fromEntries(record.files.map(({ callId, path }) => [callId, path]));
      return shortened === null
        ? state
        : { ...state, shortened: { ...shortened, files: { ...shortened.files, ...files } } };
    }
    case "summary-started": {
      const { stepId, messageCount, attempt, model, mayCostUsd = 0 } = record;
      const compactions = state.background?.stepId === stepId ? state.compactions : state.compactions + 1;
      const background = { stepId, messageCount, attempt, model, mayCostUsd, waiting: false };
      return { ...state, compactions, background };
    }
    case "summary-made":
      return state.background?.stepId === record.stepId ? keep(state, record) : state;
    case "summary-dropped": {
      const { background } = state;
      if (background?.stepId !== record.stepId) return state;
      return { ...withCost(state, record), background: null, triedMessages: background.messageCount };
    }
    default:
      return unreachable(record);
  }
}

/** The summaries that stand for nothing but these first messages. */
export function summariesBefore(summaries: readonly Summary[], messageCount: number): readonly Summary[] {
  return summaries.filter((summary) =>
    summary.stepId === null ? summary.messageCount < messageCount : summary.messageCount <= messageCount,
  );
}

function start(state: SessionState, record: Of<"compaction-started">): SessionState {
  const { stepId, messageCount, attempt, turnId, model = null } = record;
  const { operation, background } = state;
  // The turn waits for the summary that was made beside it, with its attempts.
  const taken = background?.stepId === stepId ? background : null;
  const open = { stepId, messageCount, attempt, model, waiting: taken?.waiting ?? false };
  const isNew = taken === null && !("stepId" in operation && operation.stepId === stepId);
  const counted: SessionState = {
    ...state,
    background: null,
    compactions: isNew ? state.compactions + 1 : state.compactions,
  };
  if (turnId === undefined) {
    if (operation.type !== "idle" && operation.type !== "summarizing") return state;
    return { ...counted, operation: { type: "summarizing", ...open } };
  }
  const turn = openTurnOf(state);
  if (turn?.turnId !== turnId) return state;
  return { ...closeBatch(counted), operation: { type: "compacting", turn, ...open } };
}

function complete(state: SessionState, record: Of<"compaction-completed">): SessionState {
  if (!isOpen(state, record.stepId)) return state;
  const summary = summaryOf(state, record);
  return { ...afterwards(withCost(state, record)), ...shown(state, summary), summaries: summariesWith(state, summary) };
}

/** A summary that was made beside the turn stands ready; the originals are shown as long as they have room. */
function keep(state: SessionState, record: Of<"summary-made">): SessionState {
  return { ...withCost(state, record), background: null, summaries: summariesWith(state, summaryOf(state, record)) };
}

function summaryOf(state: SessionState, record: Of<"compaction-completed" | "summary-made">): Summary {
  const { stepId, summary: text, messageCount, kept = [] } = record;
  return { stepId, text, messageCount, kept, tasks: state.tasks };
}

function summariesWith({ summaries }: SessionState, summary: Summary): readonly Summary[] {
  return [...summaries.filter((made) => made.messageCount < summary.messageCount), summary];
}

/** A summary costs the session, and the turn that is under way. */
function withCost(
  state: SessionState,
  { usage, costUsd = null }: Pick<Of<"compaction-failed">, "usage" | "costUsd">,
): SessionState {
  if (usage === undefined) return state;
  const paid: SessionState = {
    ...state,
    usage: addUsage(state.usage, usage),
    costUsd: state.costUsd === null || costUsd === null ? null : state.costUsd + costUsd,
  };
  const { operation } = state;
  if (!("turn" in operation)) return paid;
  const tokens = operation.turn.tokens + usage.inputTokens + usage.outputTokens;
  const turn: OpenTurn = { ...operation.turn, tokens, costUsd: operation.turn.costUsd + (costUsd ?? 0) };
  return { ...paid, operation: { ...operation, turn } };
}

function select(state: SessionState, { stepId, reason }: Of<"compaction-selected">): SessionState {
  const selected = state.summaries.findLast((made) => made.stepId === stepId);
  if (selected === undefined && stepId !== null) return state;
  const shortened = reason === "larger-window" ? null : state.shortened;
  // What a user takes back is not to be summed up by what was begun before.
  const background = reason === "undone" || reason === "redone" ? null : state.background;
  const next: SessionState = { ...state, ...shown(state, selected ?? null), shortened, background };
  return prepared(next);
}

/** A turn under way is prepared again: what it waits for stands in the conversation. */
function prepared(state: SessionState): SessionState {
  const turn = openTurnOf(state);
  return turn === null ? state : { ...closeBatch(state), operation: { type: "preparing", turn } };
}

function edit(state: SessionState, { stepId, summary: text }: Of<"compaction-edited">): SessionState {
  const edited = (summary: Summary): Summary => (summary.stepId === stepId ? { ...summary, text } : summary);
  const { summary } = state;
  return {
    ...state,
    // It is made of the words that were changed.
    background: summary?.stepId === stepId ? null : state.background,
    summary: summary === null ? null : edited(summary),
    summaries: state.summaries.map(edited),
  };
}

/** What the model was informed of may be among what it sees no longer: it is informed again. */
function shown(state: SessionState, summary: Summary | null): Partial<SessionState> {
  return { summary, summaryBudget: budgetOf(state), knownFacts: {} };
}

function budgetOf(state: SessionState): number {
  const { config } = state;
  return config === null ? 0 : tokenBudget(modelNamed(config, openTurnOf(state)?.model ?? null));
}

function isOpen({ operation }: SessionState, stepId: string): boolean {
  return (operation.type === "summarizing" || operation.type === "compacting") && operation.stepId === stepId;
}

/** The turn that waited is prepared again, since the facts it was given may be gone. */
function afterwards(state: SessionState): SessionState {
  const { operation } = state;
  return operation.type === "compacting"
    ? { ...state, operation: { type: "preparing", turn: operation.turn } }
    : { ...state, operation: { type: "idle" } };
}
