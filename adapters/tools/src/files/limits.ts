/** Files one commit may change. Each holds a directory open at most, and the usual bound of a process is 1,024 descriptors. */
export const maxFilesPerCommit = 400;

/** Bytes of one piece while a file is hashed: large enough that calls do not matter, small enough for memory. */
export const hashPieceBytes: number = 256 * 1024;

/** A file beyond this is not hashed when a range of it is read: the pause would be felt. Such a file cannot be edited. */
export const maxHashBytes: number = 10 * 1024 * 1024;

/** Bytes looked at for a NUL, the mark of a binary file: what git and grep look at. */
export const binaryProbeBytes = 8192;

/** Lines of a file compared when the nearest ones to a text that was not found are sought. About 50 ms. */
export const maxNearestLines = 10_000;

/** Characters of a line that are compared for nearness. */
export const maxComparedLength = 200;

/** Places offered when a text was not found. */
export const maxNearestPlaces = 3;

/** Line numbers listed when a text is found more than once. */
export const maxListedMatches = 10;

/** UTF-16 units of a summary line. */
export const maxSummaryLength = 200;

/** Bytes of a reading's output kept free for the note at its end. */
export const maxReadNoteBytes = 400;

/** Entries of a directory looked at for leftovers of a killed commit: larger directories are not worth the time. */
export const maxSweptEntries = 2_000;

/** Edits of one call: each walks the whole file. */
export const maxEdits = 500;

/** Bytes of a picture or PDF that is shown to a model: it stays in the journal, and in every later request. */
export const maxMediaBytes: number = 3 * 1024 * 1024;
