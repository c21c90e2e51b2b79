/** Events that are kept for a client which has not taken what came before; beyond it the client is served from the journal. */
export const maxHandedOnEvents = 256;

/** The same in characters of their text, so that a few large records count as well. */
export const maxHandedOnCharacters: number = 512 * 1024;

/** Events that are read from the journal at once for a client that is behind. */
export const eventsPerPage = 500;

/** Characters of them that are kept until the client takes them: a page of large results is read in parts. */
export const maxPageCharacters: number = 512 * 1024;

/** Events of a page that several clients share: what one of them waits for holds up all others as long. */
export const eventsPerSharedPage = 32;

/** Characters of such pages that a session keeps: a client that attaches to a long session after others reads little again. */
export const maxSharedCharacters: number = 4 * 1024 * 1024;

/** Submissions that one client may send in a second, on average and at once. An honest frontend sends a few. */
export const submissionsPerSecond = 50;
export const submissionsAtOnce = 200;

/** Words that a client sent last and may wait for when its owner dies: more than wait in a queue at once. */
export const maxAwaitedWords = 100;

/** UTF-16 units of a title. */
export const maxTitleCharacters = 200;

/** How often a lost owner is looked for, and how long in between (ms); together longer than a stopped process keeps its lease. */
export const maxOwnerLooks = 120;
export const ownerLookIntervalMs = 300;

/** How often a watcher looks for it before it reads on from the store, where it keeps looking. */
export const maxWatcherLooks = 4;

/** How often a process that lacks something leaves the session to others before it becomes the owner itself. */
export const looksForOthers = 4;

/**
 * How long the owner of a session is looked for that cannot be reached (ms), and how often (ms between the looks): one that begins or ends takes
 * a moment; one that was stopped takes as long to say nothing, and is not waited for.
 */
export const maxReadyMs = 5000;
export const readyLookIntervalMs = 40;

/** How long a session lasts before it is offered to other processes (ms). */
export const offerAfterMs = 100;

/** How often a session that is just being closed is waited for by one opening. */
export const maxEntries = 8;

/** How often the store is asked whether another process changed something (ms). One cheap question; nothing is read when nothing has. */
export const storeLookIntervalMs = 200;

/** A store-only reader that follows a session asks this often (ms). */
export const followIntervalMs = 200;

/** How long a program's middleware may take to answer (ms); it may ask a service of its own. */
export const middlewareLimitMs = 10_000;

/** Users whose rates are kept apart; of those beyond, the ones who sent nothing of late are forgotten first. */
export const maxBuckets = 10_000;
