/** Levels one listing may go down: what lies deeper is found with glob. */
export const maxListingDepth = 20;

/** Entries of one part of a listing, whatever is asked for. */
export const maxListingEntries = 2_000;

/** Entries of one part where nothing is asked for: about 8 KB. */
export const usualListingEntries = 200;

/** Globs of one call that leave names out. */
export const maxListingGlobs = 50;

/** Files that one call reads together. */
export const maxFilesRead = 50;

/** Entries that are counted for a page's total; a directory with more is said to have more than that. */
export const maxCountedEntries = 20_000;
