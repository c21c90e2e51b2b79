import { tokenBudget } from "@capstan/context";
import { addUsage, type CompactionRecord, type JournalRecord, unreachable } from "@capstan/protocol";
import type { Summary } from "@capstan/wording";
import { openTurnOf } from "../model/open-turn-of.ts";
import type { OpenTurn, SessionState } from "../model/state.ts";
import { modelNamed } from "../model/step-model.ts";
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
      return { ...state, shortened: { messageCount, characters }, summaryBudget: budgetOf(state) };
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

function start(state: SessionState, { stepId, messageCount, attempt, turnId }: Of<"compaction-started">): SessionState {
  const { operation } = state;
  const open = { stepId, messageCount, attempt, waiting: false };
  const isNew = !("stepId" in operation && operation.stepId === stepId);
  const counted: SessionState = isNew ? { ...state, compactions: state.compactions + 1 } : state;
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
  const { stepId, messageCount, kept = [], costUsd, usage } = record;
  const summary: Summary = { stepId, text: record.summary, messageCount, kept, tasks: state.tasks };
  const shorter = state.summaries.filter((made) => made.messageCount < messageCount);
  return {
    ...afterwards(state, (turn) => ({
      ...turn,
      tokens: turn.tokens + usage.inputTokens + usage.outputTokens,
      costUsd: turn.costUsd + (costUsd ?? 0),
    })),
    ...shown(state, summary),
    summaries: [...shorter, summary],
    ...spending(state, record),
  };
}

function withCost(state: SessionState, record: Of<"compaction-failed">): SessionState {
  const { usage, costUsd = null } = record;
  return usage === undefined ? state : { ...state, ...spending(state, { usage, costUsd }) };
}

function spending(
  state: SessionState,
  { usage, costUsd }: Pick<Of<"compaction-completed">, "usage" | "costUsd">,
): Pick<SessionState, "usage" | "costUsd"> {
  return {
    usage: addUsage(state.usage, usage),
    costUsd: state.costUsd === null || costUsd === null ? null : state.costUsd + costUsd,
  };
}

function select(state: SessionState, { stepId, reason }: Of<"compaction-selected">): SessionState {
  const selected = state.summaries.findLast((made) => made.stepId === stepId);
  if (selected === undefined && stepId !== null) return state;
  const turn = openTurnOf(state);
  const shortened = reason === "larger-window" ? null : state.shortened;
  const next: SessionState = { ...state, ...shown(state, selected ?? null), shortened };
  return turn === null ? next : { ...closeBatch(next), operation: { type: "preparing", turn } };
}

function edit(state: SessionState, { stepId, summary: text }: Of<"compaction-edited">): SessionState {
  const edited = (summary: Summary): Summary => (summary.stepId === stepId ? { ...summary, text } : summary);
  const { summary } = state;
  return {
    ...state,
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
function afterwards(state: SessionState, spend: (turn: OpenTurn) => OpenTurn = (turn) => turn): SessionState {
  const { operation } = state;
  return operation.type === "compacting"
    ? { ...state, operation: { type: "preparing", turn: spend(operation.turn) } }
    : { ...state, operation: { type: "idle" } };
}
