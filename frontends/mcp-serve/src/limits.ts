/** Sessions that stay open between calls; of more, the one that was used longest ago and rests is given back. */
export const maxHeldSessions = 16;

/** Calls of a client that are under way at once; more are refused. */
export const maxCallsInFlight = 64;

/** Calls of the workspace's tools in one session; the next one begins another, so that no journal grows without end. */
export const maxCallsPerToolSession = 500;

/** Sessions that a list has without saying how many it should have, and at most. */
export const listedSessions = 20;
export const maxListedSessions = 200;

/** Messages of a session that are shown without saying how many, and at most. */
export const shownMessages = 20;
export const maxShownMessages = 200;

/** Characters of one message that are shown; what is longer is cut. */
export const messageCharacters = 4000;

/** Characters of a prompt: as much as a request of the protocol of programs may hold. */
export const maxPromptCharacters: number = 1024 * 1024;

/** Characters of a progress line. */
export const progressCharacters = 200;
