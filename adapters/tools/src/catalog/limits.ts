/** Characters of a tool's name: what every vendor accepts. */
export const maxToolNameLength = 64;

/** Tools that a request may hold from the beginning: what every vendor accepts. */
export const maxTools = 128;

/** Deferred tools of one catalog: a search looks at all of them. */
export const maxDeferredTools = 2000;

/** UTF-16 units of the line that says what a program's tool is called with. */
export const maxCallSummaryLength = 200;
