/** All that a turn with a clean context is shown of what was said before it. */
export const cleanSummary = "Before this, a plan was worked out and approved. It follows; nothing else was done.";
