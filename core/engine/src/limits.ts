/** Bounds of the engine itself; those a user may set are in `TurnLimits` and `RetryPolicy`. */

/** Inputs that may wait in line; beyond it a user is asked to wait, so that nothing piles up unseen. */
export const maxQueuedTurns = 16;

/** Answers of one turn that may end in a pause; a vendor that only pauses must not keep a turn going forever. */
export const maxPausesPerTurn = 32;

/** Answers in a row that may end in a loop notice; the turn ends after the last of them. */
export const maxLoopNotices = 3;

/** What a user may write in place of a summary, as a share of a request's budget. */
export const maxEditedSummaryShare = 0.25;

/** Things that could not be kept that a rewind names; more are counted. */
export const maxLeftShown = 20;

/** Calls that a recovery names in its one line, and UTF-16 units of each. */
export const maxCallsNamed = 3;
export const summaryCharacters = 160;
