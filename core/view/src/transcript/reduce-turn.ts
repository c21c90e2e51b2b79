import { asksAgain, type TurnRecord, unreachable } from "@capstan/protocol";
import { inertText } from "@capstan/patterns";
import type { Cell } from "./cell.ts";
import { closeWork } from "./close-cells.ts";
import { openCall } from "./reduce-call.ts";
import { itemAt, shortened, withAppended } from "./persistent-list.ts";
import { shownOrigin, shownWords } from "./shown.ts";
import { nothingSpent } from "./spending.ts";
import { type Transcript, withCell, withWork } from "./transcript.ts";

type Of<Type extends TurnRecord["type"]> = Extract<TurnRecord, { type: Type }>;

export function reduceTurn(transcript: Transcript, record: TurnRecord, at: number): Transcript {
  switch (record.type) {
    case "turn-queued": {
      const { turnId, content, origin } = record;
      const words = { turnId, words: shownWords(content), origin: shownOrigin(origin), at };
      return { ...transcript, queued: [...transcript.queued, words] };
    }
    case "queue-changed":
      return { ...transcript, queued: changedQueue(transcript.queued, record) };
    case "turn-steered": {
      const { turnId, inputId, content, origin } = record;
      const waiting = { ...transcript, queued: withoutTurn(transcript.queued, inputId) };
      const words = { words: shownWords(content), origin: shownOrigin(origin), isPlan: false };
      return withCell(waiting, { type: "user", at, isFinal: true, turnId, ...words });
    }
    case "turn-started":
      return startTurn(transcript, record, at);
    case "context-packed":
      return transcript;
    case "turn-ended":
      return endTurn(transcript, record, at);
    default:
      return unreachable(record);
  }
}

function startTurn(transcript: Transcript, record: Of<"turn-started">, at: number): Transcript {
  const { turnId, content, origin, plan } = record;
  const closed = closeWork(transcript);
  const begun: Transcript = {
    ...closed,
    queued: withoutTurn(closed.queued, turnId),
    turns: isPartOfLast(closed, record)
      ? closed.turns
      : withAppended(closed.turns, { turnId, tasksBefore: closed.tasks }),
    ...(plan?.clean === true ? { measured: null } : {}),
  };
  const turn = { turnId, startedAt: at, spending: nothingSpent, measuredBefore: transcript.measured };
  const said: Cell = {
    type: "user",
    at,
    isFinal: true,
    turnId,
    words: shownWords(content),
    origin: shownOrigin(origin),
    isPlan: plan !== undefined,
  };
  const started = withCell(withWork(begun, { turn, rewound: [] }), said);
  return record.call === undefined ? started : openCall(started, record.call, at);
}

/** It asks for the answer of the turn before it again. */
function isPartOfLast({ turns }: Transcript, record: Of<"turn-started">): boolean {
  return asksAgain(record) && itemAt(turns, turns.length - 1)?.turnId === record.follows;
}

function endTurn(transcript: Transcript, record: Of<"turn-ended">, at: number): Transcript {
  const { turnId, outcome, message, failure, rolledBack, draft } = record;
  const { turn } = transcript.work;
  const open = turn?.turnId === turnId ? turn : null;
  const closed = closeWork(transcript);
  const last = itemAt(closed.turns, closed.turns.length - 1);
  const undone =
    rolledBack && last?.turnId === turnId
      ? { turns: shortened(closed.turns, closed.turns.length - 1), tasks: last.tasksBefore }
      : {};
  const ended: Transcript = {
    ...closed,
    queued: withoutTurn(closed.queued, turnId),
    ...undone,
    ...(rolledBack && open !== null ? { measured: open.measuredBefore } : {}),
  };
  return withCell(ended, {
    type: "turn-end",
    at,
    isFinal: true,
    turnId,
    outcome,
    ...(message === undefined ? {} : { message: inertText(message) }),
    ...(failure?.hint === undefined ? {} : { hint: inertText(failure.hint) }),
    rolledBack,
    ...(draft === undefined ? {} : { draft: shownWords(draft) }),
    durationMs: open === null ? 0 : Math.max(0, at - open.startedAt),
    spending: open?.spending ?? nothingSpent,
  });
}

function changedQueue(queued: Transcript["queued"], { turnId, change }: Of<"queue-changed">): Transcript["queued"] {
  const words = queued.find((waiting) => waiting.turnId === turnId);
  if (words === undefined) return queued;
  switch (change.type) {
    case "removed":
    case "handed-back":
      return withoutTurn(queued, turnId);
    case "replaced":
      return queued.map((waiting) => (waiting === words ? { ...words, words: shownWords(change.content) } : waiting));
    case "moved": {
      const rest = withoutTurn(queued, turnId);
      const place = rest.findIndex((waiting) => waiting.turnId === change.before);
      return place < 0 ? [...rest, words] : rest.toSpliced(place, 0, words);
    }
    default:
      return unreachable(change);
  }
}

function withoutTurn(queued: Transcript["queued"], turnId: string): Transcript["queued"] {
  return queued.some((waiting) => waiting.turnId === turnId)
    ? queued.filter((waiting) => waiting.turnId !== turnId)
    : queued;
}
