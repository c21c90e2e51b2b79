/** Entries of one directory that are looked at; the rest of a larger one is left out, and said so. Bounds the time of one uninterrupted listing. */
export const maxDirectoryEntries = 50_000;

/** Entries of a whole walk. */
export const maxWalkEntries = 500_000;

/** Directories inside each other. Each level holds one descriptor open. */
export const maxWalkDepth = 128;

/** Work on the main thread between two looks at its other duties. */
export const sliceMs = 12;

/** What one call of glob may list, whatever it asks for. */
export const maxGlobResults = 10_000;

/** What one call of search may show, whatever it asks for. */
export const maxSearchResults = 5_000;

/** Matching lines after which a search stops counting: the number is then given as "more than". */
export const maxCountedMatches = 20_000;

/** Files that a call may set as its limit. */
export const maxSearchedFiles = 10_000;

/** Lines of one file that a call may set as its limit. */
export const maxMatchesPerFile = 50;

/** Time that a call may ask for (ms); the configuration's is the most. */
export const minSearchTimeoutMs = 100;

/** Letters that may be wrong where words are searched that are only nearly there. */
export const maxFuzzyErrors = 4;

/** UTF-16 units of such words: a machine word holds one bit for each. */
export const maxFuzzyLength = 31;

/** Links that one search follows. */
export const maxFollowedLinks = 100;

/** Matching lines that a result holds as data beside its text. */
export const maxStructuredMatches = 200;

/** Larger files are not searched (unless named as the path itself): generated or data, as in the seed. */
export const maxSearchFileBytes = 2_000_000;

/** A file named as the path itself is searched up to this size: as much as a command's output can be kept. */
export const maxNamedFileBytes: number = 64 * 1024 * 1024;

/** Lines shown before and after a match at most. */
export const maxContextLines = 20;

/** UTF-16 units of one shown line; a longer one is cut around its match. */
export const maxLineLength = 400;

/** UTF-16 units kept of a matching line to recognise it by when the file is read again. */
export const maxKeptLineLength = 4_000;

/** Bytes of one line of ripgrep's output: a line of 2 MB, each byte escaped to six. More of it is not needed. */
export const maxEventBytes: number = 16 * 1024 * 1024;

/** Bytes kept of ripgrep's error messages. */
export const maxErrorBytes = 8_192;

/** UTF-8 bytes of a result kept back for its first and last line. */
export const reservedResultBytes = 1_024;

/** How long `rg --version` may take before it counts as not working. */
export const probeTimeoutMs = 5_000;

/** Files that ripgrep is given at a time. Two batches are held open, and the usual bound of a process is 1,024 descriptors. */
export const maxBatchFiles = 250;

/** Bytes of the names of one batch, where files are handed over by name: far below what any system takes as arguments. */
export const maxBatchArgumentBytes: number = 64 * 1024;

/** Files named in the line that says what was not searched. */
export const maxNamedSkips = 3;
