/** Bounds of the gatekeeper. None of them ever skips a deny rule: beyond a bound a text is opaque, and opaque text is scanned whole. */

/** Characters of a script that is read word by word; longer ones nobody reads in a prompt either. */
export const maxScriptCharacters = 4096;

/** Commands of a script that is read word by word; models write fewer than ten. */
export const maxScriptCommands = 32;

/** Characters of one rule's pattern; longer ones are pasted scripts, not patterns. */
export const maxPatternCharacters = 1024;

/** Characters of a command or rule quoted in a reason; the whole is in the action's summary. */
export const maxQuotedCharacters = 160;

/** Character codes turned into text at once: engines limit the arguments of one call. */
export const codesPerPiece = 4096;

/** Groups inside one another in a regular expression; the reader recurses. */
export const maxRegexDepth = 32;

/** `{m,n}` in a regular expression: each repeat is written out. */
export const maxRegexRepeats = 100;

/** Steps of one regular expression; its time is this times the length of the text. */
export const maxRegexSteps = 2000;
