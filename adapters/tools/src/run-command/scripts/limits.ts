/** Bytes of one script that are hashed; a larger one counts as unread, and no grant holds for it. */
export const maxScriptBytes: number = 4 * 1024 * 1024;

/** Scripts bound to one command; of more, the rest counts as unread. */
export const maxScripts = 24;

/** Places looked at for scripts of one command. */
export const maxCandidates = 200;

/** Directories a list of commands may have changed into, each of which may be where the next one runs. */
export const maxDirectories = 4;

/** Folders upwards in which a tool looks for its file of tasks. */
export const maxParents = 24;
