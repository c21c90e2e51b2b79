/** Characters of a tool's name: what every vendor accepts. */
export const maxToolNameLength = 64;

/** Tools of one catalog: what every vendor accepts in one request. */
export const maxTools = 128;

/** UTF-16 units of the line that says what a program's tool is called with. */
export const maxCallSummaryLength = 200;
