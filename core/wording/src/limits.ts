/** A tool call id longer than this, or with odd characters, is replaced: vendors refuse it when it is echoed. */
export const maxCallIdCharacters = 64;

/** Bounds of a summary in tokens: 15 % of the original, but at least and at most these (design §6, "budget"). */
export const summaryShare = 0.15;
export const minSummaryTokens = 64;
export const maxSummaryTokens = 2048;

/** Characters of one token, for rough guesses where no vendor count exists yet. */
export const charactersPerToken = 4;

/** UTF-16 units of what a found tool says of itself beside its name: its whole definition is in the next request. */
export const maxFoundLength = 200;

/** Tools of one request: what every vendor takes. No deferred one is found beyond it. */
export const maxOfferedTools = 128;
