/** Requests of an editor that are under way at the same time, prompts among them; more are refused. */
export const maxRequestsInFlight = 256;

/** Sessions that one connection holds open. */
export const maxOpenSessions = 64;

/** Characters of a result or an argument that an editor is shown; the middle of a longer one is left out. */
export const shownCharacters: number = 32 * 1024;

/** Characters of a title. */
export const titleCharacters = 200;

/** Sessions of one page of `session/list`. */
export const sessionsPerPage = 50;

/** Values of arguments nest no deeper where they are shown. */
export const shownDepth = 8;

/** Entries of a list or fields of an object in arguments that are shown. */
export const shownEntries = 100;

/** Parts of one prompt. */
export const maxPromptParts = 100;

/** Bytes of one attachment: vendors take requests of 20 to 32 MB as a whole, and base64 makes a third more of every file. */
export const maxAttachmentBytes: number = 15 * 1024 * 1024;

/** Directories beside the working directory. */
export const maxDirectories = 32;

/** Servers that an editor passes with one session. */
export const maxServers = 32;

/** Models that a selector offers. */
export const offeredModels = 200;

/** Characters of what was received that an error repeats. */
export const repeatedCharacters = 80;
