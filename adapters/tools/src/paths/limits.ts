/** UTF-8 bytes of a whole path: PATH_MAX of Linux, the largest of the platforms. */
export const maxPathBytes = 4096;

/** UTF-8 bytes of one component: NAME_MAX of every common file system. */
export const maxNameBytes = 255;

/** Symbolic links followed on the way to one path: what Linux follows. */
export const maxLinks = 40;

/** Directory entries looked at when a file with several hard links is checked against protected files. About 20 ms. */
export const maxHardLinkEntries = 10_000;

/** Entries of one directory looked at for names similar to a missing one. */
export const maxSimilarityEntries = 2_000;

/** Names offered in place of a missing one: more would not help. */
export const maxSuggestions = 3;
