/** How often whoever answered looks whether the answer was taken. */
export const lookIntervalMs = 100;

/**
 * Looks until an answer that nobody takes is withdrawn: longer than it takes until a process that was stopped counts as gone, so
 * that its session is taken over instead.
 */
export const maxLooks = 450;

/** Sessions, newest first, that are searched for something that is settled already. */
export const searchedSessions = 200;

/** How often the inbox is read for whoever watches it. */
export const watchIntervalMs = 250;
