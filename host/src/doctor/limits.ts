/** Below this the disk is called nearly full, in bytes: a long session and the database's log fit into it. */
export const minFreeBytes: number = 200 * 1024 * 1024;
/** How long a program may take to say its version. */
export const programTimeoutMs = 10_000;
/** The oldest Node that Capstan is tried with. */
export const minNodeMajor = 20;
/** Offences of one kind that are listed; the others are counted. */
export const maxListed = 10;
