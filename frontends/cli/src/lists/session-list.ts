import { type SessionId, type SessionSummary, shortIds } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { type Column, tableLines } from "./table-lines.ts";
import { agoText, localTime } from "./time-text.ts";

const titleCharacters = 80;
const pathCharacters = 200;

export interface ListOptions {
  /** Cells of the screen; `undefined`: whole lines, with whole ids. */
  readonly width?: number;
  /** Ms. */
  readonly now: number;
  /** Every session there is, so that a short id means one of them alone. */
  readonly all: readonly Pick<SessionSummary, "id">[];
  readonly owned: OwnedSessions;
}

/** Those that a living process writes to. */
export type OwnedSessions = ReadonlySet<SessionId>;

/** Sessions as a user looks through them: the title first. */
export function sessionListLines(
  sessions: readonly SessionSummary[],
  { width, now, all, owned }: ListOptions,
): readonly string[] {
  const short = shortIds(all.map(({ id }) => id));
  const columns: readonly Column<SessionSummary>[] = [
    { text: ({ title }) => (title === "" ? "(no words)" : inertLine(title, titleCharacters)), rank: 0, minWidth: 20 },
    { text: ({ id }) => (width === undefined ? id : (short.get(id) ?? id)), rank: 0 },
    { text: ({ updatedAt }) => agoText(updatedAt, now), rank: 0 },
    { text: (session) => stateOf(session, owned), rank: 1 },
    { text: ({ updatedAt }) => localTime(updatedAt), rank: 4 },
    { text: ({ turns }) => turnsText(turns), rank: 2 },
    { text: ({ model }) => inertLine(model, titleCharacters), rank: 3, minWidth: 20 },
    { text: ({ cwd }) => inertLine(cwd, pathCharacters), rank: 5, minWidth: 20 },
  ];
  return tableLines(sessions, columns, width);
}

export function turnsText(turns: number): string {
  return `${turns} turn${turns === 1 ? "" : "s"}`;
}

/** What waits for a user says more than how the last turn ended. A turn that nobody carries out any more was interrupted. */
export function stateOf({ id, turns, waiting = 0, lastOutcome }: SessionSummary, owned: OwnedSessions): string {
  if (waiting > 0) return "waiting for you";
  if (lastOutcome !== undefined) return lastOutcome;
  if (turns === 0) return "open";
  return owned.has(id) ? "running" : "interrupted";
}
