/** Hosts one command may ask for: a build needs a registry or two, and a user reads them all. */
export const maxHosts = 16;

/** Directories outside the workspace that one command may ask to change. */
export const maxWritable = 8;

/** Characters of the reason for running outside the sandbox: a user reads it. */
export const maxJustification = 500;

/** UTF-8 characters of a command's output, from its end, in which the sandbox's traces are looked for. */
export const tracedOutputLength = 65_536;

/** Hosts and files that a result names; the others are counted. */
export const maxNamed = 20;
