/** Bounds of the engine itself; those a user may set are in `TurnLimits` and `RetryPolicy`. */

/** Inputs that may wait in line; beyond it a user is asked to wait, so that nothing piles up unseen. */
export const maxQueuedTurns = 16;

/** Messages a compaction always leaves as they are (design §6, "budget": the last 4). */
export const messagesKeptByCompaction = 4;

/** Bounds of a summary in tokens: 15 % of the original, but at least and at most these (design §6, "budget"). */
export const summaryShare = 0.15;
export const minSummaryTokens = 64;
export const maxSummaryTokens = 2048;

/** An answer cut shorter than this for the budget's sake is of no use; the turn ends instead. Tokens. */
export const minAnswerTokens = 1024;

/** What vendors add to a prompt that is not in the request: instructions for tools, marks between messages. Tokens. */
export const requestOverheadTokens = 2048;

/** More tokens than any vendor counts for one picture. */
export const maxImageTokens: number = 16 * 1024;

/** Characters of one token, for rough guesses where no vendor count exists yet. */
export const charactersPerToken = 4;

/** Answers of one turn that may end in a pause; a vendor that only pauses must not keep a turn going forever. */
export const maxPausesPerTurn = 32;

/** Submissions without a turn that a session remembers: far more than can be on their way when an owner dies. */
export const maxSubmissionIds = 256;

/** Things that could not be kept that a rewind names; more are counted. */
export const maxLeftShown = 20;

/** Calls that a recovery names in its one line, and UTF-16 units of each. */
export const maxCallsNamed = 3;
export const summaryCharacters = 160;
