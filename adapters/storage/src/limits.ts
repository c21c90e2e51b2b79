// Every bound of this package, with its unit and its reason.

/** How long a write waits for another process's transaction. Ours last milliseconds; a slow disk's checkpoint may take seconds. */
export const busyTimeoutMs = 10_000;

/** Pause between attempts to open a database that another process is just creating; SQLite does not wait by itself there. */
export const openRetryDelayMs = 20;

/** The write-ahead log is cut back to this after a checkpoint, so that one huge session does not keep the space forever. */
export const keptLogBytes: number = 16 * 1024 * 1024;

/** Length of a session's title in code points: a line of a list. */
export const titleCharacters = 80;

/** UTF-16 units of a turn's text that are searched for a title; a pasted file is not worth more. */
export const titleSearchedUnits = 4096;

/** Problems of a database file that are reported: more say nothing new. */
export const maxReportedProblems = 20;

/** Rows of a damaged journal read at once, so that damage further on does not hide what is before it. */
export const salvagedRowsAtOnce = 200;

/** Rows of a journal that are in memory at once while it is counted: a row may hold a whole answer. */
export const rowsReadAtOnce = 200;

/** Events of a journal that are in memory at once while it is stored whole. */
export const restoredAtOnce = 500;

/** Newest rows of a journal whose links are verified whenever its session is opened: some 5 ms, and most sessions have no more. */
export const newestCheckedRows = 1000;

/** Bytes of those rows after which no more are read: hashing them takes some 5 ms. */
export const newestCheckedBytes: number = 4 * 1024 * 1024;

/** So many of them are read at once: a row may hold a whole answer. */
export const newestReadAtOnce = 50;

/** A database up to this size is written again, without free parts, when a session is deleted: about a second's work. */
export const vacuumedBytes: number = 256 * 1024 * 1024;

/** Deletions that are remembered for who follows the changes; who is further behind reads the whole list again. */
export const keptDeletions = 1000;

/** UTF-16 units of a draft that is kept: far more than anyone types, and little enough to be written every second. */
export const maxDraftCharacters: number = 1024 * 1024;

/** Users whose drafts a session keeps; the oldest go first. */
export const maxDrafts = 100;

/** Items of a list of a saved state that are written and read as one: a conversation has some 2 MB in so many. */
export const savedPartItems = 256;

/** Words of a search that count: more make it slower and no better. */
export const maxSearchWords = 64;

/** Events of a session that are in memory at once where it is read from end to end. */
export const eventsReadAtOnce = 500;

/** Records of a session that are compressed together: reading one opens the whole block, in about a millisecond. */
export const blockRows = 200;

/** Bytes of records after which a block is full; zlib looks no further than 32 KB back, so that larger ones are hardly smaller. */
export const blockBytes: number = 256 * 1024;

/** Records that are read at once for a block: each may hold a whole answer. */
export const blockReadAtOnce = 10;

/** Bytes that a block may unfold to: some rows, of which one may hold a whole answer with its files. */
export const maxBlockBytes: number = 512 * 1024 * 1024;
