/** Pieces of an answer that arrive within this time are journaled and shown together: a reader sees no difference, the disk does. */
export const deltaWindowMs = 25;

/** Characters of waiting pieces that end the window early, so that a flood is not held back in memory. */
export const deltaWindowCharacters: number = 64 * 1024;

/** Live output of one call that is journaled and shown; the result itself has the tool's own limit. */
export const liveOutputCharacters: number = 256 * 1024;

/** A secret shorter than this is not looked for: it would redact ordinary words. */
export const minSecretCharacters = 8;
