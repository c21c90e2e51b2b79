/** Commands of one session that run in the background at once: a server, a watcher, a build, and room for more. */
export const maxRunning = 8;

/** Background commands that one session may have started at all: each leaves a note and its output. */
export const maxStarted = 1_000;

/** How long one may run where the call does not say (ms): a day, longer than any session is attended. */
export const backgroundMs: number = 24 * 3_600_000;

/** Bytes of one command's output that are kept; of a longer one the latest. */
export const logBytes: number = 64 * 1024 * 1024;

/** Seconds that a call waits for new output where it does not say: what has just been started has something to say by then. */
export const usualWaitSeconds = 1;

/** The longest that one call waits for new output, in seconds. */
export const maxWaitSeconds = 600;

/** Characters of a regular expression that picks lines. */
export const maxFilterLength = 1_000;

/** How long picking lines may take (ms): some expressions need longer than a session lasts. */
export const filterMs = 500;

/** UTF-16 units of a command in a line about it. */
export const shownCommandLength = 200;

/** Bytes of a note that are read: ours have less than 10 KiB. */
export const maxNoteBytes: number = 64 * 1024;

/** UTF-16 units of what is noted of an end: the first line, and the sandbox's words. */
export const maxEndLength = 4_000;

/** UTF-16 units of the end of an output in which traces of the sandbox are looked for. */
export const tracedLength = 65_536;

/** Commands that one result, turn or notice lists; the others are counted. */
export const maxReported = 10;
