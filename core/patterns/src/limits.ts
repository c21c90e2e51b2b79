/** Characters of one glob: no path that it could match is longer on any platform. */
export const maxGlobCharacters = 4096;

/** Groups in braces inside one another; the reader and the compiler recurse. */
export const maxBraceDepth = 32;

/** Items of one `{1..9}`: each is written out. */
export const maxRangeItems = 256;

/** Parts of one glob when its ranges are written out; its work is this times the length of a path. */
export const maxGlobParts = 16_384;

/** Rules of one .gitignore: every name is compared with all of them. */
export const maxIgnoreRules = 2000;

/** Bytes of a .gitignore that are read; real ones stay below 10 KB. */
export const maxIgnoreFileBytes: number = 512 * 1024;
