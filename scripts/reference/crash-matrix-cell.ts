/** The phases of a session in which a fault can strike. */
export const matrixPhases = {
  P1: "the words are accepted, the model has not answered yet",
  P2: "in the middle of a text",
  P3: "in the middle of a call's arguments",
  P4: "the answer is whole, no question has been asked yet",
  P5: "a user is asked",
  P6: "allowed, not started",
  P7: "a call runs",
  P8: "a call has ended, its result is not in the journal",
  P9: "a result is in the journal, its batch is not closed",
  P10: "older messages are being summarised",
  P11: "a plan waits for its review",
  P12: "settings or rules are being written",
} as const;
export type MatrixPhase = keyof typeof matrixPhases;

/** What is promised for a cell; several joined by `+` hold together, by `/` as the case may be. */
export const matrixOutcomes = {
  a: "Words and history are kept. The next opening sends the request again; nothing counts as answered that was not.",
  b: "What was shown of the answer is kept for people, marked as broken off, and is no part of the conversation. No call of it runs, and the next request is one that the vendor takes.",
  c: "Half a call's arguments are dropped: it is never run, and nobody is asked about it.",
  d: "The calls are known and nothing was decided: the next opening judges them and asks.",
  e: "The open question is there again, with the same id and the same digest; answers to anything else change nothing.",
  f: "It was not started. Where a user had allowed exactly this action (its digest), it runs once, without a second question.",
  g: "The command's processes are gone. What can be proved of the call settles it; otherwise it is reported as *unknown*, with the files that changed, and is not run again by itself.",
  h: "The result is taken from the journal, once; the call is not run again. What was left of the batch continues.",
  i: "The old history stays what the model is sent, until a summary is whole; the summary is tried again or given up, and never half used.",
  l: "The error is reported with its code, no new call starts, everything acknowledged is kept; when the cause is gone the session is opened again and continues.",
  m: "It is tried again, as often and as late as `[retry]` allows and the vendor asks for; nothing is shown twice; then the turn fails and hands the words back.",
  n: "Silence for `network.idle_timeout_seconds` (before the first byte `network.first_byte_timeout_seconds`) breaks the call off; then as m. A trickle of bytes is not silence: the turn's time limit ends it.",
  o: "It is reported as an error of the wire, and the answer is asked for again or the turn fails; what harms nothing is passed over.",
  p: "At its time-out a command gets TERM, then KILL, with everything that it started; its output is kept.",
  q: "Output is cut in the middle, with the number of bytes, in flat memory.",
  r: "The turn ends in order: what runs is stopped, every call is answered, the exit code says why. A second signal ends the process at once.",
  s: "Whoever was first writes; the other is shown who that is, and changes nothing. One that was stopped and wakes up after a takeover can write nothing more.",
  t: "Nothing in a session is measured by the calendar: times in the journal are for people.",
  u: "The text is the same, however it was cut; bytes that are no text become U+FFFD.",
  v: "The call is answered with what is wrong with it; nobody is asked about it, and it does not run.",
  w: "It is passed over and reported to users; the answer counts.",
} as const;

/** A test by its file and its title as it stands in the source; `of`: the parameters it is shown with. */
export interface MatrixTest {
  readonly file: string;
  readonly title: string;
  readonly of?: readonly string[];
}

/** One fault in one phase: what shows the promise, or what has to be built before anything can. */
export type MatrixCell =
  | { readonly type: "shown"; readonly outcome: string; readonly tests: readonly MatrixTest[] }
  | { readonly type: "not-built"; readonly missing: string };

export interface MatrixFault {
  readonly fault: string;
  /** What a reader has to know beside the cells. */
  readonly note?: string;
  readonly cells: Readonly<Partial<Record<MatrixPhase, MatrixCell>>>;
}

export function shown(outcome: string, ...tests: readonly MatrixTest[]): MatrixCell {
  return { type: "shown", outcome, tests };
}

export function notBuilt(missing: string): MatrixCell {
  return { type: "not-built", missing };
}

/** The phases that tests put every fault into. */
export const livePhases = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10"] as const;
export type LivePhase = (typeof livePhases)[number];

const later = {
  P11: notBuilt("No test puts this fault into a plan review; to the journal it is a question like any other (P5)."),
  P12: notBuilt("No test puts this fault into the writing of a grant or of trust."),
} as const;

/** A cell for every phase that the fault is put into, and what is missing for the other two. @param inReview  in a plan review */
export function everywhere(cell: (phase: LivePhase) => MatrixCell, inReview?: MatrixCell): MatrixFault["cells"] {
  const today = Object.fromEntries(livePhases.map((phase) => [phase, cell(phase)]));
  return { ...today, ...later, ...(inReview === undefined ? {} : { P11: inReview }) };
}
