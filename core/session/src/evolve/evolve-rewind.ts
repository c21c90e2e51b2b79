import { shared } from "./growing-lists.ts";
import type { FileEffect, JournalRecord, Message, RewindRecord } from "@capstan/protocol";
import type { Summary } from "@capstan/wording";
import type { TurnMark } from "../model/marks.ts";
import { noLoop } from "@capstan/policy";
import { summariesBefore } from "./evolve-compaction.ts";
import type { Operation, SessionState } from "../model/state.ts";

type Finished = Extract<JournalRecord, { type: "rewind-finished" }>;
type Rewinding = Extract<Operation, { type: "rewinding" }>;

export function evolveRewind(state: SessionState, record: RewindRecord): SessionState {
  const { operation } = state;
  if (record.type === "rewind-started") {
    if (operation.type !== "idle") return state;
    const { rewindId, direction, keepTurns, conversation, files } = record;
    return { ...state, operation: { type: "rewinding", rewindId, direction, keepTurns, conversation, files } };
  }
  if (operation.type !== "rewinding" || operation.rewindId !== record.rewindId) return state;
  const idle: SessionState = { ...state, operation: { type: "idle" } };
  return operation.direction === "back" ? goBack(idle, operation, record) : goForth(idle);
}

function goBack(state: SessionState, { keepTurns, conversation }: Rewinding, { restored }: Finished): SessionState {
  const taken = state.turns[keepTurns];
  if (taken === undefined) return state;
  const { knownFacts, summary, summaries, tasks } = state;
  const turns = shared(state.turns);
  const mark = { turns, conversation: shared(state.conversation), knownFacts, summary, summaries, tasks, restored };
  const rewound: SessionState = { ...state, rewinds: [...state.rewinds, mark] };
  if (!conversation) {
    const kept = turns.map((turn, index) => (index < keepTurns ? turn : withoutRestored(turn, restored)));
    return { ...rewound, turns: kept, conversation: withNotice(state.conversation, restored) };
  }
  return {
    ...rewound,
    turns: turns.slice(0, keepTurns),
    conversation: state.conversation.slice(0, taken.messagesBefore),
    knownFacts: taken.knownBefore,
    summaries: summariesBefore(summaries, taken.messagesBefore),
    summary: summaryAt(state, turns.slice(keepTurns), taken),
    tasks: taken.tasksBefore,
    repeated: noLoop,
  };
}

function goForth(state: SessionState): SessionState {
  const last = state.rewinds.at(-1);
  if (last === undefined) return state;
  const { restored: _restored, ...before } = last;
  return { ...state, ...before, rewinds: state.rewinds.slice(0, -1) };
}

/** A summary that stands for nothing that was taken back stays; a clean context goes with the turn that began with it. */
function summaryAt({ summary }: SessionState, takenTurns: readonly TurnMark[], first: TurnMark): Summary | null {
  const isKept =
    summary !== null && summary.messageCount <= first.messagesBefore && !takenTurns.some(({ clean }) => clean);
  return isKept ? { ...summary, tasks: first.tasksBefore } : first.summaryBefore;
}

function withoutRestored(turn: TurnMark, restored: readonly FileEffect[]): TurnMark {
  const paths = new Set(restored.map((effect) => effect.path));
  return { ...turn, effects: turn.effects.filter((effect) => !paths.has(effect.path)) };
}

/** The words stay and the files do not: the model must know, or it continues from what is no longer there. */
function withNotice(conversation: readonly Message[], restored: readonly FileEffect[]): readonly Message[] {
  if (restored.length === 0) return conversation;
  const paths = restored.map((effect) => `- ${effect.path}`).join("\n");
  const text = `[The user took back these file changes; the files are again as they were before:]\n${paths}`;
  return [...conversation, { role: "user", content: [{ type: "text", text }] }];
}
