/** Files of one folder that trust can reach. Real projects have a handful; a hostile one must not hold up the start. */
export const maxTrustFiles = 256;

/** Names looked at below one folder whose content trust reaches. */
export const maxWalkedNames = 4096;

/** Folders within folders that are walked. */
export const maxWalkDepth = 8;

/** Bytes of one file that trust can reach: as many as a configuration file may have. */
export const maxTrustFileBytes: number = 1024 * 1024;

/** Bytes of all files of one folder: they are in memory together, so that what is shown is what is meant. */
export const maxTrustBytes: number = 32 * 1024 * 1024;

/** Bytes of one file that are kept beside its hash, to show later what changed in it. */
export const maxKeptFileBytes: number = 64 * 1024;

/** Bytes kept of all files of one folder. */
export const maxKeptBytes: number = 1024 * 1024;

/** Bytes of one folder's entry in the store: what is kept, escaped as JSON at its worst, and the names. */
export const maxEntryBytes: number = 8 * 1024 * 1024;

/** Entries of the store that are read for a list. */
export const maxListedEntries = 10_000;

/** Files named one by one in what a run says; more are counted. */
export const maxNamedFiles = 20;

/** Lines of one difference shown; longer ones are cut. */
export const maxDiffLines = 200;

/** Pairs of lines compared for one difference. Beyond it the old lines are shown as gone, and the new as come. */
export const maxComparedPairs = 1_000_000;
