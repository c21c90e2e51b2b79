const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const day = 86_400_000;

/** Of all headers of one answer together. */
export const maxHeaderBytes: number = 8 * kibibyte;

/** UTF-16 units of an address. */
export const maxUrlLength = 4096;

/** Pages that only say where the page is, in a row. */
export const maxRedirects = 5;

/** How often a name is looked up when its server does not answer. */
export const maxLookups = 3;

/** Of robots.txt; what follows does not count (RFC 9309). */
export const maxRobotsBytes: number = 512 * kibibyte;

/** Rules of one robots.txt that are read. */
export const maxRobotsRules = 5000;

/** How long a robots.txt is taken for granted (ms). */
export const robotsLifeMs: number = day;

/** Hosts whose robots.txt is remembered. */
export const maxRobotsHosts = 1024;

/** How long a page is kept (ms). */
export const pageLifeMs: number = 7 * day;

/** Pages kept. */
export const maxCachedPages = 1000;

/** Bytes of all pages kept. */
export const maxCacheBytes: number = kibibyte * mebibyte;

/** Of one kept page: what is read back into memory. */
export const maxCachedPageBytes: number = 16 * mebibyte;

/** For making text of one page (ms); a page that takes longer is made to. */
export const extractionTimeoutMs = 5000;

/** For the worker to begin (ms). */
export const workerStartMs = 10_000;

/** How long the worker waits for another page (ms). */
export const extractorIdleMs = 10_000;

/** Heap of the worker that does it (MiB). */
export const extractionHeapMb = 256;

/** Elements inside each other; what is deeper counts as beside. */
export const maxDepth = 256;

/** Elements and texts of one page. */
export const maxNodes = 400_000;

/** UTF-16 units of text that one page gives. */
export const maxTextLength: number = 2 * mebibyte;

/** Of the address of a link; a longer one is left out. */
export const maxLinkLength = 500;

/** Of a title and a heading. */
export const maxHeadingLength = 300;

/** Visible characters that make a part of a page its content. */
export const minContentLength = 50;

/** Of an answer of a search service. */
export const maxSearchBytes: number = 2 * mebibyte;

/** For a search (ms). */
export const searchTimeoutMs = 20_000;

/** Of each text of a search result. */
export const maxExcerptLength = 1000;
