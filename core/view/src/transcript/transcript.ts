import type { Origin, SessionConfig, SessionId, StepId, Task, ToolCallId, TurnId, Workspace } from "@capstan/protocol";
import type { Cell, Words } from "./cell.ts";
import {
  emptyList,
  itemAt,
  itemsOf,
  type PersistentList,
  withAppended,
  withItem,
  withoutItems,
} from "./persistent-list.ts";
import { nothingSpent, type Spending } from "./spending.ts";

/**
 * A session as screens show it: the fold of its events (`reduce`). Plain JSON. Whoever drew the transcript before an event has
 * to look at no cell below `settled`.
 */
export interface Transcript {
  /** Number of the last event that was folded in; 0: none. */
  readonly seq: number;
  /** A cell's place is its name: cells are only added, and replaced where they stand. */
  readonly cells: PersistentList<Cell>;
  /** So many cells from the first on are final. */
  readonly settled: number;
  readonly session: SessionFacts | null;
  readonly config: SessionConfig | null;
  /** As a user gave it. */
  readonly title: string | null;
  /** Words that wait for the running work to end, oldest first. */
  readonly queued: readonly QueuedWords[];
  /** The turns of the conversation, oldest first: neither without a trace nor taken back. A turn's number is its place, from 1. */
  readonly turns: PersistentList<TurnMark>;
  /** The model's task list. */
  readonly tasks: readonly Task[];
  /** What the whole session cost. */
  readonly spending: Spending;
  /** What the vendor last counted of the conversation; `null`: not known, or no longer true. */
  readonly measured: { readonly model: string; readonly tokens: number } | null;
  /** Summaries of older messages that were made. */
  readonly summaries: number;
  readonly work: OpenWork;
}

export interface SessionFacts {
  readonly sessionId: SessionId;
  readonly workspace: Workspace;
  readonly origin: Origin;
  readonly version: string;
  readonly at: number;
}

/** A turn of the conversation, with what holds again when it is taken back. */
export interface TurnMark {
  readonly turnId: TurnId;
  readonly tasksBefore: readonly Task[];
}

export interface QueuedWords {
  readonly turnId: TurnId;
  readonly words: readonly Words[];
  readonly origin: Origin;
  readonly at: number;
}

/** What has begun and not ended, with the places of its cells. */
export interface OpenWork {
  readonly turn: OpenTurn | null;
  readonly step: OpenStep | null;
  readonly calls: readonly OpenCall[];
  readonly interactions: readonly { readonly id: string; readonly cell: number }[];
  readonly compaction: { readonly stepId: StepId; readonly cell: number } | null;
  readonly rewind: { readonly rewindId: string; readonly cell: number } | null;
  /** A model call failed, and the next attempt is waited for. */
  readonly retry: { readonly cell: number } | null;
  /** What stood before each rewind since the last turn, oldest first. */
  readonly rewound: readonly Pick<Transcript, "turns" | "tasks">[];
}

export interface OpenTurn {
  readonly turnId: TurnId;
  readonly startedAt: number;
  readonly spending: Spending;
  readonly measuredBefore: Transcript["measured"];
}

/** `held`: as for a step, of its output. */
export interface OpenCall {
  readonly callId: ToolCallId;
  readonly cell: number;
  readonly held: string;
}

export interface OpenStep {
  readonly stepId: StepId;
  readonly cell: number;
  /** The beginning of an escape sequence at the end of what was shown: it is shown when it turns out to be none. */
  readonly held: string;
}

export const emptyTranscript: Transcript = {
  seq: 0,
  cells: emptyList(),
  settled: 0,
  session: null,
  config: null,
  title: null,
  queued: [],
  turns: emptyList(),
  tasks: [],
  spending: nothingSpent,
  measured: null,
  summaries: 0,
  work: {
    turn: null,
    step: null,
    calls: [],
    interactions: [],
    compaction: null,
    rewind: null,
    retry: null,
    rewound: [],
  },
};

/** The cells from a place on, in order. */
export function cellsFrom({ cells }: Transcript, from = 0): Generator<Cell> {
  return itemsOf(cells, from);
}

/** The place that the next cell gets. */
export function nextCell({ cells }: Transcript): number {
  return cells.length;
}

export function withCell(transcript: Transcript, cell: Cell): Transcript {
  return { ...transcript, cells: withAppended(transcript.cells, cell) };
}

/** Changes an open cell; a final one stays as it is. */
export function changeCell(transcript: Transcript, at: number, change: (cell: Cell) => Cell): Transcript {
  const cell = itemAt(transcript.cells, at);
  if (cell === undefined || cell.isFinal) return transcript;
  const changed = change(cell);
  return changed === cell ? transcript : { ...transcript, cells: withItem(transcript.cells, at, changed) };
}

export function withWork(transcript: Transcript, work: Partial<OpenWork>): Transcript {
  return { ...transcript, work: { ...transcript.work, ...work } };
}

/** Every cell is passed once in its life. */
export function settle(transcript: Transcript): Transcript {
  let { settled } = transcript;
  while (itemAt(transcript.cells, settled)?.isFinal === true) settled += 1;
  return settled === transcript.settled ? transcript : { ...transcript, settled };
}

/** The transcript without its oldest cells, as far as they are final: whoever keeps their rows does not need them. */
export function withoutOldCells(transcript: Transcript, before: number): Transcript {
  const cells = withoutItems(transcript.cells, Math.min(before, transcript.settled));
  return cells === transcript.cells ? transcript : { ...transcript, cells };
}
