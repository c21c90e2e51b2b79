const mebibyte = 1024 * 1024;

/** Bytes of one message of a server: larger than any result that a model could read. */
export const maxMessageBytes: number = 8 * mebibyte;

/** Bytes of one stream of messages over HTTP: a session's progress and results. */
export const maxStreamBytes: number = 64 * mebibyte;

/** Lines of a server's standard output that are no messages: some servers greet there. */
export const maxForeignLines = 20;

/** Messages that nobody asked for, between two requests: a server that sends more floods. */
export const maxUnaskedMessages = 10_000;

/** UTF-16 units of a server's last words on standard error, for people. */
export const maxLastWords = 500;

/** How often a server that ended is started again for a call: one that keeps ending is broken. */
export const maxRestarts = 3;

/** Tools of one server, and pages of their list. */
export const maxToolsOfServer = 500;
export const maxToolPages = 50;

/** UTF-16 units of a tool's description: as much as a model should read about one tool. */
export const maxDescriptionLength = 4000;

/** UTF-16 units of a tool's schema as JSON. */
export const maxSchemaLength = 32_768;

/** UTF-16 units of the line that says what a tool is called with. */
export const maxSummaryLength = 200;

/** UTF-16 units of an error in a server's words. */
export const maxErrorLength = 1000;

/** Tools that one notice names. */
export const maxNamedTools = 5;

/** How long a server may take to end by itself once its input is closed, and for `close` over HTTP. */
export const farewellMs = 500;

/** Characters of base64 that one result's pictures may have together, and how many they may be: they stay in the journal. */
export const maxPictureCharacters: number = 4 * mebibyte;
export const maxPictures = 4;

/** UTF-16 units of what a server says when it asks a user, of a field's words, and of one choice. */
export const maxAskedLength = 2000;
export const maxFieldLength = 300;
export const maxChoiceLength = 200;

/** Fields of one form, and choices of one field: more is no question. */
export const maxFields = 20;
export const maxChoices = 50;

/** How often a form is asked again whose answers do not fit it. */
export const maxFormRounds = 3;

/** UTF-16 units of what a server wants a model to read: its user reads all of it first. */
export const maxSampledLength = 20_000;

/** Tokens of a model's answer that a server may ask for. */
export const maxSampledTokens = 8192;

/** Resources, templates and prompts of one server that are listed. */
export const maxListed = 500;

/** Calls that may run on one server at once, over all sessions. */
export const maxRunningCalls = 64;

/** The library's own time limit of a request, which ours take the place of: the longest that a timer takes (ms). */
export const noTimeoutMs: number = 2 ** 31 - 1;

/** How long reading a resource or a prompt may take when its user names one (ms). */
export const readingMs = 20_000;

/** How often a server may say that its tools have changed: each change is a record of every session that has them. */
export const maxRenewals = 50;

/** How long a user may take in the browser to allow a login (ms). */
export const loginMs: number = 5 * 60_000;

/** ms for the refusal that says how to log in: a server that hangs is asked for its metadata as usual. */
export const refusalMs = 10_000;

/** Bytes of what is kept of one server's tools, so that the next session need not wait for it. */
export const maxOfferBytes: number = 2 * mebibyte;

/** How long the start of servers that are known waits once there is time for it (ms): it takes a processor's time from a request that is just leaving. */
export const startsAfterMs = 250;
