import type { Action, FileEffect, JournalRecord, ToolRecord, TurnId } from "@capstan/protocol";
import { addUsage, isPlanPath, unreachable, withTaskList } from "@capstan/protocol";
import { addProposal } from "./evolve-proposal.ts";
import { withMark } from "./turn-marks.ts";
import { addWritten, foundAfter } from "@capstan/wording";
import { isUndecided, type OpenTurn, type PendingCall, type SessionState } from "../model/state.ts";

type Finished = Extract<JournalRecord, { type: "tool-finished" }>;
type Started = Extract<JournalRecord, { type: "tool-started" }>;

/** Characters of live output kept in the state for clients that attach late. */
const maxOutputTailCharacters = 4096;

export function evolveTool(state: SessionState, record: ToolRecord): SessionState {
  switch (record.type) {
    case "tool-decided":
      return withCall(state, record.callId, (pending) => decide(pending, record));
    case "tool-deferred":
      return withCall(state, record.callId, (pending) =>
        isUndecided(pending) || pending.type === "allowed" ? { type: "deferred", call: pending.call } : pending,
      );
    case "tool-started":
      return noteLeft(
        markRan(
          noteWritten(
            withCall(state, record.callId, (pending) => start(pending, record)),
            record,
          ),
        ),
        record,
      );
    case "tool-output-delta":
      return withCall(state, record.callId, (pending) =>
        pending.type === "running"
          ? { ...pending, output: (pending.output + record.delta).slice(-maxOutputTailCharacters) }
          : pending,
      );
    case "tool-finished":
      return noteSpent(noteLimits(finish(state, record), record), record);
    case "tool-probed":
      return withCall(state, record.callId, (pending) =>
        pending.type === "running" && record.finding.type === "in-doubt"
          ? { ...pending, probed: { text: record.finding.text, effects: record.effects } }
          : pending,
      );
    case "tool-restarted":
      return restart(state, record.callId);
    case "tool-effects":
      return addEffects(state, record.turnId, record.effects);
    default:
      return unreachable(record);
  }
}

function decide(
  pending: PendingCall,
  { action, judgement }: Extract<JournalRecord, { type: "tool-decided" }>,
): PendingCall {
  // What was allowed is judged again when it has become another action, or after a restart; a second word that says the same changes nothing.
  const isAgain =
    pending.type === "allowed" && (judgement.verdict !== "allow" || action.digest !== pending.action.digest);
  if (pending.type !== "deferred" && !isUndecided(pending) && !isAgain) return pending;
  const { call } = pending;
  if (judgement.verdict === "allow") return { type: "allowed", call, action, approved: false };
  return { type: "asking", call, action, interaction: null };
}

function start(pending: PendingCall, { settle, checkpoint }: Started): PendingCall {
  return pending.type === "allowed"
    ? {
        type: "running",
        call: pending.call,
        action: pending.action,
        approved: pending.approved,
        settle,
        output: "",
        checkpoint: checkpoint ?? null,
        question: null,
        interrupted: false,
        probed: null,
      }
    : pending;
}

/** The call waits for its start again. What its first run did stays known, so that it can be taken back. */
function restart(state: SessionState, callId: string): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return state;
  const running = operation.batch.calls.find((pending) => pending.call.callId === callId);
  if (running?.type !== "running") return state;
  const { call, action, approved, probed } = running;
  const waiting = withCall(state, callId, () => ({ type: "allowed", call, action, approved }));
  return addEffects(waiting, operation.turn.turnId, probed?.effects ?? []);
}

function addEffects(state: SessionState, turnId: TurnId, effects: readonly FileEffect[]): SessionState {
  return effects.length === 0
    ? state
    : withMark(state, turnId, (mark) => ({ ...mark, effects: [...mark.effects, ...effects] }));
}

function markRan(state: SessionState): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" || operation.turn.toolRan) return state;
  return { ...state, operation: { ...operation, turn: { ...operation.turn, toolRan: true } } };
}

/** A command's evidence names no files: what it writes is bounded where it runs. */
function noteWritten(state: SessionState, { settle }: Started): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" || settle.files.length === 0) return state;
  const { turn } = operation;
  return { ...state, operation: { ...operation, turn: { ...turn, written: addWritten(turn.written, settle) } } };
}

/** What could not be kept before the call is reported when its turn is taken back. */
function noteLeft(state: SessionState, { checkpoint }: Started): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" || checkpoint === undefined || checkpoint.left.length === 0) return state;
  return withMark(state, operation.turn.turnId, (mark) => ({
    ...mark,
    left: [...new Set([...mark.left, ...checkpoint.left])],
  }));
}

function noteLimits(state: SessionState, { limits }: Finished): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" || limits === undefined) return state;
  const { turn } = operation;
  return { ...state, operation: { ...operation, turn: { ...turn, limits: [...(turn.limits ?? []), limits] } } };
}

/** What an agent has spent is spent in this turn. */
function noteSpent(state: SessionState, { spent }: Finished): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" || spent === undefined) return state;
  const { usage, costUsd } = spent;
  const { turn } = operation;
  return {
    ...state,
    usage: addUsage(state.usage, usage),
    costUsd: state.costUsd === null || costUsd === null ? null : state.costUsd + costUsd,
    operation: {
      ...operation,
      turn: {
        ...turn,
        tokens: turn.tokens + usage.inputTokens + usage.outputTokens,
        costUsd: turn.costUsd + (costUsd ?? 0),
      },
    },
  };
}

function finish(state: SessionState, record: Finished): SessionState {
  const settled = withCall(state, record.callId, (pending) =>
    pending.type === "settled"
      ? pending
      : {
          type: "settled",
          call: pending.call,
          action: "action" in pending ? pending.action : null,
          outcome: record.outcome,
          changes: record.changes,
        },
  );
  if (settled === state) return state;
  const { operation } = settled;
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return settled;
  const turn = count(operation.turn, record, settled);
  const known = observe(settled.knownFiles, record.observed);
  const session = record.outcome.type === "done" ? settledAction(settled, record.callId)?.session : undefined;
  const tasks =
    session?.type === "update-plan" ? withTaskList(settled.tasks, session.list, session.tasks) : settled.tasks;
  const foundTools = foundAfter(settled.config, settled.foundTools, session);
  const finished: SessionState = {
    ...settled,
    operation: { ...operation, turn },
    knownFiles: known,
    tasks,
    foundTools,
  };
  const done = addEffects(finished, turn.turnId, record.effects ?? []);
  return notePlan(noteProposal(done, turn.turnId, record), turn.turnId, planAfter(settled, record));
}

function noteProposal(state: SessionState, turnId: TurnId, { callId, outcome, proposed = [] }: Finished): SessionState {
  if (outcome.type !== "proposed") return state;
  const action = settledAction(state, callId);
  const together = action?.proposes === "together" ? { together: true as const } : {};
  return addProposal(state, { turnId, callId, summary: action?.summary ?? "", ...together, files: proposed });
}

/** What the call's end means for the plan: its text where it was written into a file, `null` where it was presented. */
function planAfter(state: SessionState, { callId, outcome }: Finished): string | null | undefined {
  const action = settledAction(state, callId);
  if (action?.session?.type === "exit-plan-mode") return null;
  const role = state.config?.tools.find(({ name }) => name === action?.tool)?.planRole;
  if (outcome.type !== "done" || action === undefined || role?.type !== "writes") return undefined;
  const content = action.arguments[role.argument];
  const isPlan = action.paths.some(({ access, shown }) => access === "write" && isPlanPath(shown));
  return isPlan && typeof content === "string" && content.trim() !== "" ? content : undefined;
}

function notePlan(state: SessionState, turnId: TurnId, plan: string | null | undefined): SessionState {
  if (plan === undefined) return state;
  const noted = withMark(state, turnId, (mark) => ({ ...mark, plan }));
  const { operation } = noted;
  if (plan !== null || operation.type !== "tool-loop") return noted;
  return { ...noted, operation: { ...operation, turn: { ...operation.turn, saidFrom: state.conversation.length } } };
}

function settledAction({ operation }: SessionState, callId: string): Action | undefined {
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return undefined;
  const settled = operation.batch.calls.find((pending) => pending.call.callId === callId);
  return settled?.type === "settled" ? (settled.action ?? undefined) : undefined;
}

/** A plan that was not approved is no denied call: its turn may still end well, with another plan or with the plan as its answer. */
function count(turn: OpenTurn, { callId, outcome }: Finished, state: SessionState): OpenTurn {
  if (settledAction(state, callId)?.session?.type === "exit-plan-mode") return turn;
  if (outcome.type === "denied") return { ...turn, deniedCalls: turn.deniedCalls + 1 };
  return outcome.type === "proposed" ? { ...turn, proposals: turn.proposals + 1 } : turn;
}

function observe(known: SessionState["knownFiles"], observed: Finished["observed"]): SessionState["knownFiles"] {
  const news = observed.filter(({ path, sha256 }) => known[path] !== sha256);
  // The map is copied for what is new, and most reads are of files that are known.
  return news.length === 0
    ? known
    : { ...known, ...Object.fromEntries(news.map(({ path, sha256 }) => [path, sha256])) };
}

/** The state with one call of the open batch changed; the same object when there is no such call or nothing changed. */
export function withCall(
  state: SessionState,
  callId: string,
  change: (pending: PendingCall) => PendingCall,
): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return state;
  let changed = false;
  const calls = operation.batch.calls.map((pending) => {
    if (pending.call.callId !== callId) return pending;
    const next = change(pending);
    changed ||= next !== pending;
    return next;
  });
  return changed ? { ...state, operation: { ...operation, batch: { ...operation.batch, calls } } } : state;
}
