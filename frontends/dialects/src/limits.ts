/** Turns that ask again for an answer that does not fit its schema: a model that misses it three times will not find it. */
export const maxAnswerRepairs = 2;

/** Time that a cancelled turn has to end and say so when the process is to end. */
export const stopGraceMs = 10_000;

/** Messages of a program that wait for the session to open, or to take those before them; more are refused. */
export const maxWaitingMessages = 1000;

/** Characters of a command's output that its item repeats: the last of them. */
export const maxOutputCharacters: number = 256 * 1024;
