/** Bytes of one line that a server reads: a request with 20 MB of attachments, which base64 makes a third longer, and room. */
export const maxRequestLineBytes: number = 32 * 1024 * 1024;

/** Bytes of one line that a client reads: a snapshot of a long session. */
export const maxServerLineBytes: number = 256 * 1024 * 1024;

/** Depth to which the JSON of a line may nest: everything that reads it recursively stays far from the end of its stack. */
export const maxNesting = 200;

/** Requests of one connection that are carried out at the same time; more are refused. */
export const maxRequestsInFlight = 64;

/** Attachments and watches of one connection. */
export const maxStreams = 256;

/** Sessions that one connection holds open. */
export const maxOpenSessions = 256;

/** Characters that wait in a channel for a slow reader before `send` waits, too. */
export const maxOutstandingCharacters: number = 256 * 1024;

/** Characters of events that a client lets the server send beyond what it has taken; a single longer event passes all the same. */
export const streamWindowCharacters: number = 512 * 1024;

/** Characters of an id, a name or a title in a request. */
export const maxNameCharacters = 1000;

/** Entries of a list in a request. */
export const maxListEntries = 1000;

/** Characters of what was received that an error repeats. */
export const shownCharacters = 80;

/** Problems of one request that an error names. */
export const shownProblems = 5;

/** Events that one request for history may ask for. */
export const maxPageEvents = 5000;

/** Characters of an id that a client mints: 26 of 36 symbols are 134 bits. */
export const mintedIdCharacters = 26;
