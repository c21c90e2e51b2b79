/** Time a cancelled turn has to end and say so, before the run ends without it. */
export const cancelGraceMs = 10_000;

/** Lines that are no answer before a prompt gives up, and the run parks: somebody holds a key down, or something else types. */
export const maxMisunderstandings = 50;

/** Lines at a turn's end about what will run later; the others are counted. */
export const runsLaterShown = 20;

/** Events that are read at once when the beginning of a turn is looked for. */
export const historyPageEvents = 500;

/** Turns that ask again for an answer that does not fit its schema: a model that misses it three times will not find it. */
export const maxAnswerRepairs = 2;
