import {
  longestResult,
  overflowShare,
  restoredShare,
  selectedNotice,
  shortenedNotice,
  shorterResults,
  tokenBudget,
} from "@capstan/context";
import {
  type CompactionReason,
  type JournalRecord,
  type ModelSettings,
  type SelectionReason,
  modelName,
} from "@capstan/protocol";
import type { Summary } from "@capstan/wording";
import { closeBatch, type OpenTurn, requestTokens, type SessionState } from "@capstan/session";
import { type Decision, decision } from "../model/decision.ts";
import { waitForSummary } from "./background.ts";
import { compactForTurn } from "./compact.ts";

/**
 * Makes the next request fit the model's window: by a summary that was made before, by a new one, or by showing less of long results. In a
 * larger window, originals come back.
 * @returns `null` where the request fits, and where nothing can be left out
 */
export function makeRoom(
  state: SessionState,
  turn: OpenTurn,
  model: ModelSettings,
  reason: Exclude<CompactionReason, "asked">,
): Decision | null {
  const budget = tokenBudget(model);
  const sent = requestTokens(state, model);
  if (reason === "budget" && (sent <= budget || hasTakenMore(state, model)))
    return turn.steps === 0 ? withOriginals(state, turn, model) : null;
  // The results of the open batch are part of the conversation from here on, and of no batch.
  const closed: SessionState = { ...closeBatch(state), operation: { type: "preparing", turn } };
  const goal = reason === "budget" ? budget : overflowShare * Math.min(sent, budget);
  const made = madeBefore(closed, model, { goal, reason });
  if (made !== undefined) return selected(turn, made.stepId, "smaller-window", model);
  if (reason === "budget" && closed.background !== null)
    return waitForSummary(closed.background, { turnId: turn.turnId, reason });
  const isResultsFirst = closed.config?.compactor === "token_budget";
  return (
    (isResultsFirst ? withShorterResults(closed, turn, { model, goal, isEnough: true }) : null) ??
    compactForTurn(closed, turn, { model, goal, reason }) ??
    withShorterResults(closed, turn, { model, goal, isEnough: false })
  );
}

/** A summary that stands ready and leaves enough room; where the next request may be weighed again, also one that leaves some. */
function madeBefore(
  state: SessionState,
  model: ModelSettings,
  { goal, reason }: { readonly goal: number; readonly reason: CompactionReason },
): Summary | undefined {
  const longer = state.summaries.filter(({ messageCount }) => messageCount > (state.summary?.messageCount ?? 0));
  const sizes = longer.map((summary) => ({ summary, tokens: requestTokens(state, model, { ...state, summary }) }));
  const enough = sizes.find(({ tokens }) => tokens <= goal);
  const last = reason === "budget" ? sizes.at(-1) : undefined;
  const isShorter = last !== undefined && last.tokens < requestTokens(state, model);
  return (enough ?? (isShorter ? last : undefined))?.summary;
}

/** The vendor took more than the window is said to hold: nobody here knows how large it is, and the vendor will say when it is full. */
function hasTakenMore({ measured }: SessionState, model: ModelSettings): boolean {
  return measured?.model === modelName(model) && measured.tokens > model.contextWindowTokens;
}

/** Brings originals, whole results, or a shorter summary back where there is more room than when they were left out. */
function withOriginals(state: SessionState, turn: OpenTurn, model: ModelSettings): Decision | null {
  const { summary, summaries, shortened } = state;
  const budget = tokenBudget(model);
  if ((summary === null && shortened === null) || budget <= state.summaryBudget) return null;
  const floor = summaries.findLastIndex(({ stepId }) => stepId === null);
  const shorter: readonly (Summary | null)[] = [
    ...(floor < 0 ? [null] : []),
    ...summaries
      .slice(Math.max(0, floor))
      .filter((made) => made.messageCount < (summary?.messageCount ?? 0) || (made === summary && shortened !== null)),
  ];
  const fitting = shorter.find(
    (made) => requestTokens(state, model, { summary: made, shortened: null }) <= restoredShare * budget,
  );
  return fitting === undefined ? null : selected(turn, fitting?.stepId ?? null, "larger-window", model);
}

function selected(
  { turnId }: OpenTurn,
  stepId: Summary["stepId"],
  reason: SelectionReason,
  model: ModelSettings,
): Decision {
  const records: readonly JournalRecord[] = [
    { type: "compaction-selected", stepId, reason },
    selectedNotice(modelName(model), reason),
  ];
  return decision(records, [{ type: "pack-context", turnId }]);
}

/** Shows the beginning and the end of long tool results: as much of them as fits. `isEnough`: only where that makes the room alone. */
function withShorterResults(
  state: SessionState,
  { turnId }: OpenTurn,
  { model, goal, isEnough }: { readonly model: ModelSettings; readonly goal: number; readonly isEnough: boolean },
): Decision | null {
  const messageCount = state.conversation.length;
  const shown = state.conversation.slice(state.summary?.messageCount ?? 0);
  const now = state.shortened?.messageCount === messageCount ? state.shortened.characters : longestResult(shown);
  const possible = shorterResults.filter((characters) => characters < now);
  const enough = possible.find(
    (characters) => requestTokens(state, model, { ...state, shortened: { messageCount, characters } }) <= goal,
  );
  const characters = enough ?? (isEnough ? undefined : possible.at(-1));
  if (characters === undefined) return null;
  const records: readonly JournalRecord[] = [
    { type: "results-shortened", messageCount, characters },
    shortenedNotice(characters),
  ];
  return decision(records, [{ type: "pack-context", turnId }]);
}
