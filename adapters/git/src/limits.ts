/** Time for git to answer (ms): a slow repository holds up nobody. */
export const gitTimeoutMs = 2000;

/** Of what git answers; more is no answer. */
export const maxOutputBytes: number = 256 * 1024;

/** Of the user's own ignore file. */
export const maxIgnoreBytes: number = 64 * 1024;

/** Of the names of all settings: no configuration is that large. */
export const maxNamesBytes: number = 1024 * 1024;

/** Time for git to end when it is asked to (ms). */
export const killGraceMs = 500;
