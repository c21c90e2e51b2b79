/** Bytes of a plan file: a plan is read by a user, whole. */
export const maxPlanBytes: number = 64 * 1024;

/** UTF-16 units of a plan that was only said: of more the end is taken, where a plan stands. */
export const maxSaidPlanLength: number = 64 * 1024;

/** UTF-16 units of one question, of an option's label and of its description: what a user reads at a glance. */
export const maxQuestionLength = 4000;
export const maxLabelLength = 200;
export const maxDescriptionLength = 1000;

/** UTF-16 units of one step of the task list. */
export const maxStepLength = 1000;

/** Seconds that a question may wait: a day. */
export const maxTimeoutSeconds = 86_400;

/** UTF-16 units of a task list's name. */
export const maxListNameLength = 100;
