/** Pieces of an answer that arrive within this time are journaled and shown together: a reader sees no difference, the disk does. */
export const deltaWindowMs = 25;

/** So many characters in one window are a flood: over a million a second, which nobody reads along. */
export const deltaFloodCharacters: number = 32 * 1024;

/** The window while a flood lasts: what is superseded before it ends is never written to the disk at all. */
export const floodWindowMs = 400;

/** Characters of waiting pieces that end the window early, so that they do not fill the memory. */
export const deltaWindowCharacters: number = 4 * 1024 * 1024;

/** Live output of one call that is journaled and shown; the result itself has the tool's own limit. */
export const liveOutputCharacters: number = 256 * 1024;

/** Places on the network that one session opens by answers: more are asked about again each time. */
export const maxReachedHosts = 1_000;

/** A secret shorter than this is not looked for: it would redact ordinary words. */
export const minSecretCharacters = 8;

/** A session that has grown by so many records saves a copy of its state while it runs: about a tenth of a second of folding. */
export const runningStateRecords = 5_000;

/** The same when it closes, where a moment's work is nobody's wait. */
export const closingStateRecords = 500;

/** Turns that are ended to bring a session to rest: more than can wait in line. */
export const maxEndsToRest = 200;

/** Characters of a stream that wait for what follows them, at most: a private key of 16,384 bits has 13,000. */
export const maxHeldCharacters: number = 16 * 1024;

/** Characters before a place in a stream that say what it is part of: a line of a dump, or an escape sequence with a link's address. */
export const contextCharacters = 1024;

/** Base64 longer than this is not read as a key: it is a picture, an archive, a source map. */
export const maxEncodedKeyCharacters: number = 16 * 1024;

/** Tokens that one call may have used, as its vendor counts them: ten times the largest window of today. */
export const maxTokensOfOneCall = 20_000_000;

/** UTF-16 units of a user's words that facts are looked for by: a pasted file says no more of what the turn is about. */
export const maxTurnWords = 4000;

/** Questions that one call under way may ask its user: a server that asks more wears its user out. */
export const maxQuestionsOfCall = 20;

/** How long a process that closes a session waits for hooks that are informed of it: time to write a line somewhere, not to work. */
export const closingHooksMs = 5_000;

/** Texts that were looked through for secrets and are remembered, and how long such a text may be: what comes again is short. */
export const maxRememberedTexts = 256;
export const maxRememberedCharacters = 256;
