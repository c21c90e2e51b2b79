// Every bound of this package, with its unit and its reason.

/** Characters of a name and a description that are kept. */
export const maxNameCharacters = 64;
export const maxDescriptionCharacters = 1024;

/** Agents that are offered in all, and files of one place that are looked at. */
export const maxAgents = 100;
export const maxFilesOfPlace = 500;

/** Tools that an agent may name. */
export const maxToolNames = 100;

/** Skills that an agent may name, and characters of their texts together: they are in each of its requests. */
export const maxSkillNames = 16;
export const maxSkillCharacters = 60_000;

/** Characters of a prompt in a session's title and in a line of progress. */
export const titleCharacters = 60;
export const progressCharacters = 160;

/** Characters of an agent's last words that its caller reads: about what one tool result may hold. */
export const maxReportCharacters = 30_000;

/** Agents that one session has at work in the background: what a user can still follow, and a vendor's limits bear. */
export const maxInBackground = 8;

/** Agents in the background that one list names: the others have ended long ago. */
export const maxListed = 50;

/** Time for git to make a working tree, or to look through one (ms): a large repository takes its time. */
export const gitWorkMs = 120_000;

/** Bytes of what git answers that are read. */
export const gitOutputBytes: number = 16 * 1024 * 1024;

/** Characters of the list of changed files that a report shows. */
export const statCharacters = 4000;

/** Files of one conflict that are named. */
export const maxConflictFiles = 10;

/** Branches of other agents that a branch is compared with: the newest. */
export const maxSiblings = 16;

/** Placeholders of one agent that have values. */
export const maxVariables = 50;
