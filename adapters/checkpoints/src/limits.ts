import { maxDiffSteps } from "@capstan/diff";

/** Bytes of one kept file. Larger ones are data, not source; keeping each of their states would fill the disk. */
export const maxFileBytes: number = 5 * 1024 * 1024;

/** Bytes of all files of one snapshot of everything: what a first snapshot writes within some ten seconds. */
export const maxSnapshotBytes: number = 500 * 1024 * 1024;

/** Files of one snapshot of everything: about half a second to look at each of them again. */
export const maxSnapshotFiles = 50_000;

/** Names looked at in one snapshot of everything, kept or not. */
export const maxWalkEntries = 400_000;

/** Folders within folders. Each holds a descriptor open meanwhile, and the usual bound of a process is 1,024. */
export const maxWalkDepth = 200;

/** Paths of one call that names files. A tool call changes a few; a snapshot's undo may bring all its files. */
export const maxExplicitPaths = 100_000;

/** Bytes of a file that is too large to be kept, but still hashed, so that its change can be reported. About half a second. */
export const maxHashedBytes: number = 256 * 1024 * 1024;

/** Bytes of one piece while a file is hashed: large enough that calls do not matter, small enough for memory. */
export const hashPieceBytes: number = 256 * 1024;

/** Bytes read on the spot: for small files the way through the thread pool takes longer than the reading. */
export const promptReadBytes: number = 256 * 1024;

/** Files and folders of a private copy of a workspace: about a minute of copying. */
export const maxCopiedEntries = 200_000;

/** Bytes of one. Most file systems of today share them with the original. */
export const maxCopiedBytes: number = 4 * 1024 * 1024 * 1024;

/** Lines of `left`: the first ones are shown, the others counted. */
export const maxLeftNotes = 20;

/** UTF-16 units of a path in a message. */
export const maxShownPath = 200;

/** Milliseconds the main thread is held at a time. */
export const sliceMs = 10;

/** Objects written as files of their own, each with a flush; more go into one pack, which costs four flushes whatever it holds. */
export const maxLooseObjects = 16;

/** Bytes held in memory before they are written as a pack. */
export const maxBatchBytes: number = 16 * 1024 * 1024;

/** Objects held in memory before they are written as a pack. */
export const maxBatchObjects = 20_000;

/** Bytes compressed on the spot; more go through the thread pool, so that nobody waits. */
export const promptCompressBytes: number = 128 * 1024;

/** Bytes that one stored object may inflate to: more is no object of ours. A tree of 50,000 names has some 3 MB. */
export const maxObjectBytes: number = 64 * 1024 * 1024;

/** Object ids remembered as stored (some 100 bytes each); a full memory starts over. */
export const maxRememberedObjects = 200_000;

/** A file whose times lie this close before the look at it may change again without a new time: kernels count in ticks of 4 to 10 ms. */
export const racyMs = 100;

/** The same where times are whole seconds (and FAT counts in twos). */
export const coarseRacyMs = 3000;

/** Bytes of a remembered state of a tree on disk: 50,000 files with long paths take about 15 MB. */
export const maxStatCacheBytes: number = 64 * 1024 * 1024;

/** Roots whose state is remembered in memory; the least lately used one goes. */
export const maxRememberedRoots = 16;

/** Bytes looked at for a NUL, the mark of a binary file: what git and grep look at. */
export const binaryProbeBytes = 8192;

/** Work of all diffs of one description, about three seconds of it; what comes later has line counts only. */
export const maxAllDiffsSteps: number = 30 * maxDiffSteps;

/** Bytes of all diffs of one description; what comes later has line counts only. */
export const maxAllDiffsBytes: number = 512 * 1024;

/** Age of an unfinished file of the store from which on nobody writes it any more. */
export const leftoverAgeMs: number = 60 * 60 * 1000;

/** Entries of a folder looked at for leftovers of a killed process: larger folders are not worth the time. */
export const maxSweptEntries = 2000;
