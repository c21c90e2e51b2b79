/** Commands tried when nothing else is asked for; under five minutes on two cores. */
export const defaultCount = 200_000;

/** Commands of the nightly run. */
export const nightlyCount = 1_000_000;

/** Commands one shell process is given: few enough that one that dies loses little. */
export const batchSize = 2_500;

/** A batch that has not ended by then hangs; it takes two to ten seconds. */
export const batchLimitMs = 120_000;

/** Times a shell that stopped in the middle of a batch is started again for the rest. */
export const maxRestarts = 200;

/** Words of the script of one generated command list, at most. */
export const maxPieces = 14;

/** Disagreements of one shell that are shrunk and shown: more would bury the first. */
export const shownDisagreements = 5;

/** Rounds of shrinking; each tries every cut of one size. */
export const maxShrinkRounds = 40;
