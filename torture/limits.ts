/** A run that has not ended by then hangs: the longest takes about two seconds here, four with strace. */
export const runLimitMs = 30_000;

/** Resumes after which a session that still has not played its script is stuck: each but the killed ones plays at least one turn. */
export const maxResumes = 16;

/** Answers at the script's end for what resuming asks again: each resume uses at most two, and two may run at once. */
export const spareTurns = 40;

/** Kills in one run: the first, and as many during the recoveries from it. */
export const maxKills = 4;

/** A killed process and what dies with it are collected by the system within this time, even on a busy machine. */
export const settleMs = 400;

/** How often the system is asked whether they are gone, and how often files are looked at that a kill waits for. */
export const pollMs = 5;

/** System calls of one thread, of the traced kinds, that a turn makes at most; a kill planned later than the last one misses. */
export const tracedCalls = 90;

/** Violations printed for one run: more would bury the first. */
export const shownViolations = 6;

/** Bytes of the tmpfs that fills up: a database, its log and a little more. */
export const smallDiskBytes: number = 4 * 1024 * 1024;
