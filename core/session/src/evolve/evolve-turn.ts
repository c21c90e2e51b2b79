import { isKnownTurn } from "@capstan/policy";
import {
  asksAgain,
  type ContextPart,
  type JournalRecord,
  type Message,
  saysSomething,
  type ToolCallBlock,
  toStepId,
  type TurnId,
  type TurnRecord,
  unreachable,
  type UserContent,
} from "@capstan/protocol";
import { cleanSummary, nothingWritten, type Summary } from "@capstan/wording";
import type { TurnMark } from "../model/marks.ts";
import type { Batch, OpenTurn, QueuedTurn, SessionState } from "../model/state.ts";
import { openTurnOf } from "../model/open-turn-of.ts";
import { noLoop } from "@capstan/policy";
import { appended, replaced } from "./growing-lists.ts";
import { summariesBefore } from "./evolve-compaction.ts";
import { closeBatch } from "./close-batch.ts";

type Started = Extract<JournalRecord, { type: "turn-started" }>;
type Changed = Extract<JournalRecord, { type: "queue-changed" }>;
type Steered = Extract<JournalRecord, { type: "turn-steered" }>;
type Ended = Extract<JournalRecord, { type: "turn-ended" }>;

export function evolveTurn(state: SessionState, record: TurnRecord): SessionState {
  switch (record.type) {
    case "turn-queued": {
      const { type: _type, ...input } = record;
      return { ...state, turnIds: appended(state.turnIds, record.turnId), queued: [...state.queued, input] };
    }
    case "queue-changed":
      return { ...state, queued: changedQueue(state.queued, record) };
    case "turn-steered":
      return steer(state, record);
    case "turn-started":
      return startTurn(state, record);
    case "context-packed":
      return learnFacts(state, record.parts);
    case "turn-ended":
      return endTurn(state, record);
    default:
      return unreachable(record);
  }
}

function startTurn(state: SessionState, record: Started): SessionState {
  const { turnId, content, origin, plan, mode, follows, call } = record;
  const messagesBefore = state.conversation.length;
  const clean = plan?.clean === true;
  const turn: OpenTurn = {
    turnId,
    content,
    origin,
    follows: follows ?? null,
    mode: mode ?? null,
    steering: [],
    messagesBefore,
    knownBefore: state.knownFacts,
    summaryBefore: state.summary,
    tasksBefore: state.tasks,
    saidFrom: messagesBefore,
    steps: 0,
    batches: 0,
    interactions: 0,
    toolRan: false,
    deniedCalls: 0,
    proposals: 0,
    tokens: 0,
    costUsd: 0,
    overflowed: false,
    model: null,
    extensions: 0,
    written: nothingWritten,
  };
  return {
    ...state,
    turnIds: isKnownTurn(state.turnIds, turnId) ? state.turnIds : appended(state.turnIds, turnId),
    queued: state.queued.filter((waiting) => waiting.turnId !== turnId),
    turns: withMark(state, record),
    approvedPlan: state.approvedPlan?.turnId === turnId ? null : state.approvedPlan,
    ...(clean ? withCleanContext(state, messagesBefore) : {}),
    // What came after the last rewind stands in the way of undoing it.
    rewinds: [],
    // What a user asks for again is no loop.
    repeated: noLoop,
    ...(call === undefined
      ? {
          conversation: appended<Message>(state.conversation, { role: "user", content: content.filter(saysSomething) }),
          operation: { type: "preparing", turn },
        }
      : { operation: { type: "tool-loop", turn, batch: commandBatch(turnId, call) } }),
  };
}

/** A turn that asks for an answer again goes back with the one that gave it. */
function withMark(state: SessionState, record: Started): readonly TurnMark[] {
  const { turnId, plan, follows } = record;
  const { turns, knownFacts, summary, tasks } = state;
  const last = turns.at(-1);
  if (last !== undefined && asksAgain(record) && last.turnId === follows)
    return replaced(turns, turns.length - 1, { ...last, joined: [...(last.joined ?? []), turnId] });
  return appended(turns, {
    turnId,
    messagesBefore: state.conversation.length,
    knownBefore: knownFacts,
    summaryBefore: summary,
    tasksBefore: tasks,
    clean: plan?.clean === true,
    effects: [],
    left: [],
  });
}

/** No original of before comes back, whatever model is asked. */
function withCleanContext({ summaries, tasks }: SessionState, messageCount: number): Partial<SessionState> {
  const summary: Summary = { stepId: null, text: cleanSummary, kept: [], messageCount, tasks };
  return { summary, summaries: [...summaries, summary], knownFacts: {} };
}

/** What is said of a user's command, and what came out, are reported when it has ended. */
function commandBatch(turnId: TurnId, call: ToolCallBlock): Batch {
  return { stepId: toStepId(`${turnId}.s1`), isUsers: true, calls: [{ type: "new", call }], edited: [], undo: null };
}

function changedQueue(queued: readonly QueuedTurn[], { turnId, change }: Changed): readonly QueuedTurn[] {
  const rest = queued.filter((waiting) => waiting.turnId !== turnId);
  const input = queued.find((waiting) => waiting.turnId === turnId);
  if (input === undefined) return queued;
  switch (change.type) {
    case "removed":
    case "handed-back":
      return rest;
    case "replaced":
      return queued.map((waiting) => (waiting === input ? { ...input, content: change.content } : waiting));
    case "moved": {
      const place = rest.findIndex((waiting) => waiting.turnId === change.before);
      return place < 0 ? [...rest, input] : rest.toSpliced(place, 0, input);
    }
    default:
      return unreachable(change);
  }
}

function steer(state: SessionState, { turnId, inputId, content }: Steered): SessionState {
  const { operation } = state;
  const turn = openTurnOf(state);
  const known: SessionState = {
    ...state,
    turnIds: isKnownTurn(state.turnIds, inputId) ? state.turnIds : appended(state.turnIds, inputId),
    queued: state.queued.filter((waiting) => waiting.turnId !== inputId),
  };
  if (turn?.turnId !== turnId || !("turn" in operation)) return known;
  const steering = [...turn.steering, { inputId, content, isRead: false }];
  return { ...known, operation: { ...operation, turn: { ...turn, steering } } };
}

/** Facts stand before the words of the turn they were read for: what came earlier never changes, so caches hold. */
function learnFacts(state: SessionState, parts: readonly ContextPart[]): SessionState {
  const last = state.conversation.at(-1);
  if (state.operation.type !== "preparing" || last?.role !== "user" || parts.length === 0) return state;
  const text = parts.flatMap((part) => (part.text.trim() === "" ? [] : [part.text])).join("\n\n");
  const facts: readonly UserContent[] = text === "" ? [] : [{ type: "text", text }];
  const results = last.content.filter((block) => block.type === "tool-result");
  const words = last.content.filter((block) => block.type !== "tool-result");
  const message: Message = { role: "user", content: [...results, ...facts, ...words] };
  return {
    ...state,
    knownFacts: { ...state.knownFacts, ...Object.fromEntries(parts.map((part) => [part.name, part.text])) },
    conversation: replaced(state.conversation, state.conversation.length - 1, message),
  };
}

function endTurn(state: SessionState, record: Ended): SessionState {
  const turn = openTurnOf(state);
  const closed = closeBatch(state);
  const idle: SessionState = { ...closed, operation: { type: "idle" }, lastOutcome: record.outcome };
  if (!record.rolledBack || turn === null) return idle;
  return {
    ...idle,
    conversation: closed.conversation.slice(0, turn.messagesBefore),
    summaries: summariesBefore(state.summaries, turn.messagesBefore),
    knownFacts: turn.knownBefore,
    summary: turn.summaryBefore,
    tasks: turn.tasksBefore,
    turns: state.turns.filter((mark) => mark.turnId !== turn.turnId),
  };
}
