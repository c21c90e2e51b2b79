import { unreachable } from "@capstan/protocol";
import type { Cell } from "./cell.ts";
import { changeCell, type OpenWork, type Transcript, withWork } from "./transcript.ts";

/** A turn's work ends with the turn: what no record ended is closed as it stands. */
export function closeWork(transcript: Transcript): Transcript {
  const { turn, step, calls, interactions, retry } = transcript.work;
  const places = [...calls, ...interactions, ...(step === null ? [] : [step])].map(({ cell }) => cell);
  const closed = closeCells(transcript, places);
  if (turn === null && retry === null && places.length === 0) return closed;
  const nothing: Partial<OpenWork> = { turn: null, step: null, calls: [], interactions: [], retry: null };
  return withWork(closed, nothing);
}

/** Closes an answer and calls that are open where the next step begins. */
export function closeStep(transcript: Transcript): Transcript {
  const { step, calls } = transcript.work;
  const places = [...calls, ...(step === null ? [] : [step])].map(({ cell }) => cell);
  return withWork(closeCells(transcript, places), { step: null, calls: [], retry: null });
}

function closeCells(transcript: Transcript, places: readonly number[]): Transcript {
  return places.reduce((next, place) => changeCell(next, place, asItStands), transcript);
}

/** Final, although the journal does not say how it ended. */
export function asItStands(cell: Cell): Cell {
  switch (cell.type) {
    case "answer":
      return { ...cell, isFinal: true, state: { type: "unknown" } };
    case "call":
      return { ...cell, isFinal: true, state: { type: "unknown" } };
    case "compaction":
      return { ...cell, isFinal: true, state: { type: "unknown" } };
    case "interaction":
    case "rewind":
    case "user":
    case "retry":
    case "grant":
    case "recovery":
    case "notice":
    case "turn-end":
      return { ...cell, isFinal: true };
    default:
      return unreachable(cell);
  }
}
