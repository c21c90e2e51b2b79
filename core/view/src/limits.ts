/** Of a running command's output, the end that is kept until its outcome is known. UTF-16 units. */
export const outputTailCharacters = 4096;

/** One line about an action, a user or a file. UTF-16 units. */
export const lineCharacters = 200;

/** Lines of one shown diff; the others are counted. */
export const diffLinesShown = 5000;

/** Pairs of changed lines that are compared word by word; the others are marked as whole lines. */
export const comparedPairs = 500;

/** Longer lines are marked as a whole. UTF-16 units. */
export const comparedCharacters = 2000;

/** Quotes in lists in quotes …, and as many levels of emphasis within a line; what lies deeper is text. */
export const markdownDepth = 12;

/** Of a Markdown text, what is read again with every piece; a block that is longer is cut. UTF-16 units. */
export const openMarkdownCharacters: number = 8 * 1024;

/** Of a paragraph or a cell, what is read at once: the lexer takes a time that grows with the square of it. UTF-16 units. */
export const spanCharacters: number = 4 * 1024;

/** A longer address is shown cut, and opens nothing. UTF-16 units. */
export const addressCharacters = 2000;

/** A code block's language. UTF-16 units. */
export const languageCharacters = 40;
