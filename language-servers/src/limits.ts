/** Bounds of what is asked of language servers, and taken from them. */

/** How long a change waits for what is wrong with it, in ms; what comes later is reported before the model's next step. */
export const settleMs = 2000;

/** A server that pushes what it finds has said all when it has been quiet for so long, in ms. */
export const quietMs = 300;

/** Until a server must have answered a question, in ms; it hangs then. */
export const answerMs = 30_000;

/** What a server may write between two words of ours, in bytes: beyond it, it floods. */
export const maxBytesUnasked: number = 32 * 1024 * 1024;

/** A larger file is nothing that people write. */
export const maxFileBytes: number = 2 * 1024 * 1024;

/** Files that are followed; the ones that changed last stay. */
export const maxFiles = 200;

/** Problems that are kept of one file. */
export const maxProblemsOfFile = 500;

/** Errors that one notice names; more are counted. */
export const maxErrorsShown = 20;

/** UTF-16 units of one problem's text. */
export const maxMessageCharacters = 400;

/** The end of what a server writes to its standard error, in bytes. */
export const maxSaidBytes = 2048;
