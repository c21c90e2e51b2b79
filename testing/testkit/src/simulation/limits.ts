/** Steps of the wild part of a schedule: long enough for several turns, kills and recoveries. */
export const fewestSteps = 15;
export const mostSteps = 75;

/** Turns a user begins in the wild part; the calm end has one more. */
export const mostTurns = 3;

/** Calls that one world's model makes, so that a schedule ends. */
export const mostCalls = 20;

/** Steps in which a session must come to rest once nothing goes wrong any more. */
export const stepsToRest = 2_000;

/** Violations kept of one batch of schedules: each names its seed, and the first is enough to begin with. */
export const keptFailures = 20;

/** The model's whole request is worked out at one of so many places of a journal, and at its end: it is the slow part, and other schedules look elsewhere. */
export const placesPerLook = 48;

/** Promises that resolve one after the other between two places where the engine waits for its world: half as many at most. */
export const promiseHops = 32;

/** Tellings of the last turn: a twin may have the journal, and a process that finds out says so once. */
export const triesToSay = 3;

/** More records than the runtime lets come before it saves a copy of its state. */
export const savingRecords = 1_000_000;

/** Restarts that come in twos, those by somebody who only answers, and those before which time has passed, in ms. */
export const twinShare = 0.1;
export const clerkShare = 0.4;
export const absentShare = 0.1;
export const absentMs = 100_000;

/** Sessions in which everything that changes something is asked about. */
export const askingShare = 0.35;
