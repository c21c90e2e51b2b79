/**
 * Steps of one comparison: places in the two texts that are tried. About 100 ms, during which everything else waits. A limit in
 * milliseconds would make the same change look different on a busy machine.
 */
export const maxDiffSteps = 1_000_000;

/** Lines found equal on the way, at most: they cost far less than a step. It bounds texts that repeat themselves. */
export const maxEqualLines = 50_000_000;

/** Bytes of one file's diff in the journal and on screens. */
export const maxDiffBytes: number = 32 * 1024;

/** Unchanged lines around a change, as in every diff tool. */
export const diffContextLines = 3;
