// Every bound of this package, with its unit and its reason.

/** Characters of a fact, of a name it is found by, and such names: a fact is a line, not a document. */
export const maxFactCharacters = 1000;
export const maxEntityCharacters = 120;
export const maxEntities = 20;

/** Files a fact is tied to. */
export const maxFactFiles = 10;

/** Bytes of a file whose hash is compared, to know whether a fact is stale; a larger one counts as it was. */
export const maxHashedBytes: number = 8 * 1024 * 1024;

/** Characters of a sentence that can be a fact: a longer one is a story. */
export const minSentenceCharacters = 12;
export const maxSentenceCharacters = 300;

/** Characters of a request that is named beside a changed file. */
export const maxRequestCharacters = 100;

/** Characters of the pieces in which a record's words are searched: about what a model reads at once as an excerpt. */
export const passageCharacters = 1200;

/** Pieces of one record that are searched: the beginning of a long output says what it was. */
export const maxPassagesPerRecord = 40;

/** Records read at once, and so often in a row before a turn and beside it; what is left waits for the next one. */
export const recordsAtOnce = 500;
export const maxReadsBeforeTurn = 4;
export const maxReadsBesideTurn = 40;

/** Sessions of a folder, the newest first, in whose journals facts are looked for. */
export const maxSessionsRead = 50;

/** Facts that are looked at for a turn, and words that one must share with it unless it is pinned. */
export const factsLookedAt = 40;
export const sharedWords = 2;

/** Characters from which on a word says what something is about. */
export const tellingCharacters = 3;
