/** Bounds of what a session remembers. */

/** A cut answer is the fault of a full window from this part of it on (seed P12). */
export const fullShare = 0.8;

/** Submissions without a turn that a session remembers: far more than can be on their way when an owner dies. */
export const maxSubmissionIds = 256;
