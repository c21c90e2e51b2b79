/** Below this the disk is called nearly full, in bytes: a long session and the database's log fit into it. */
export const minFreeBytes: number = 200 * 1024 * 1024;
/** How long a program may take to say its version. */
export const programTimeoutMs = 10_000;
/** How long a process must have been there until it compresses old sessions (ms): a run of one answer never does. */
export const agingDelayMs = 60_000;
/** Pause between two blocks of some 10 ms each (ms), so that nobody who works or waits for the database notices. */
export const agingPauseMs = 100;
/** The oldest Node that Capstan is tried with. */
export const minNodeMajor = 20;

/** How often whoever answers looks for the process that has the session (ms between the looks). */
export const lookIntervalMs = 50;

/**
 * How long it is looked for until the answer is given up (ms): longer than it takes until a process that was stopped counts as gone, so that its
 * session can be answered without it.
 */
export const maxAnswerMs = 45_000;

/** How long a living process may have a session and not offer it (ms) until it is sure that it never does: one that begins or ends takes less. */
export const maxUnofferedMs = 2000;

/** Sessions, newest first, that are searched for something that is settled already. */
export const searchedSessions = 200;

/** A session file that is read at once, in bytes: far above any that was seen (tens of megabytes), far below what fills the memory. */
export const maxFileBytes: number = 256 * 1024 * 1024;
/** Events of a session that are in memory at once where they are shown: each is looked through for secrets, and whatever else the process does waits for as long. */
export const eventsShownAtOnce = 64;
/** Bytes of a session file that are read at once. */
export const fileReadBytes: number = 256 * 1024;

/** Until then a request has left (ms), and what loads cannot hold it up. */
export const requestUnderWayMs = 10;
