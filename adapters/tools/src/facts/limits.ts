/** What a `recall` brings, unless it asks for another number, and at most: of facts, and of pieces of the conversation. */
export const usualRecalled = 8;
export const maxRecalled = 20;

/** Characters of the words in a line for people. */
export const maxWordsLength = 200;

/** Characters of a fact, and names it is found by. */
export const maxFactLength = 1000;
export const maxFactEntities = 20;
