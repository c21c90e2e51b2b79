/** A tool call id longer than this, or with odd characters, is replaced: vendors refuse it when it is echoed. */
export const maxCallIdCharacters = 64;
