/** Characters of a script that are walked: what lies beyond is only seen by the gatekeeper's scan of the raw text, which has no bound. */
export const maxWalkedCharacters: number = 8 * 1024;

/** Characters parsed for one call, scripts inside scripts included: each level may repeat the one around it. */
export const maxParsedCharacters: number = 32 * 1024;

/** `$(`, `${`, backticks and the like in one script: the parser reads to the end of the text for each that is not closed. */
export const maxOpenings = 120;

/** Commands that are reported for one call. They are part of the action, and so of the journal; people write fewer than twenty. */
export const maxNestedCommands = 200;

/** Characters of all their words together, for the same reason. */
export const maxReportedCharacters: number = 32 * 1024;

/** Wrappers around wrappers, and scripts inside words of scripts. */
export const maxWrapperDepth = 12;

/** Parts of the syntax looked at, and how deep: far more than a script of the allowed length needs that is not written to waste time. */
export const maxVisitedNodes = 10_000;
export const maxSyntaxDepth = 300;

/** Characters of the value of one word: variables put into each other double. */
export const maxWordCharacters = 1_024;

/** Words after a wrapper whose options are not known that are each tried as the beginning of a command. */
export const maxGuesses = 6;
