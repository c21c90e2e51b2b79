/** One inline picture or document of another agent, in base64 characters: what vendors take in one request. */
export const maxMediaCharacters: number = 8 * 1024 * 1024;
/** One text of another agent, in characters: more than any window holds would make the session unusable. */
export const maxTextCharacters = 400_000;
/** Lines looked at to recognise a format: bookkeeping may stand before the first recognisable line. */
export const maxLinesLookedAt = 200;
/** Files read of one folder that holds a session in pieces. */
export const maxPieces = 100_000;
/** Stands where a text was cut. */
export const cutMark = "\n[cut by the import]";

/** Sessions of a database that are named when it has to be said which is meant. */
export const maxNamedSessions = 5;
