/** Tokens of a part of a page. */
export const usualChunkTokens = 600;
export const minChunkTokens = 128;
export const maxChunkTokens = 2048;

/** Results of one search. */
export const usualSearchHits = 5;
export const maxSearchHits = 20;

/** UTF-16 units of a question. */
export const maxQueryLength = 400;

/** UTF-16 units of an address in a summary. */
export const maxShownUrl = 500;

/** Bytes after the `?` of an address that are asked about: so much may be data of the user's (reliability N7). */
export const maxQueryBytes = 256;

/** Characters in a row that look like packed data. */
export const maxPackedRun = 64;
