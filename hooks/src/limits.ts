/** ms that a hook may take where nothing else is said: enough for a linter, short enough to wait for. */
export const defaultTimeoutMs = 60_000;

/** ms of a hook that is informed that a session ends: whoever closes Capstan does not wait for long. */
export const endTimeoutMs = 4_000;

/** Bytes of a hook's output, of each stream, and of an HTTP answer. */
export const maxOutputBytes: number = 256 * 1024;

/** Hooks of one file: each may run at every call. */
export const maxHooksOfFile = 256;

/** Files of one patch that hooks are asked about one by one. */
export const maxFilesOfPatch = 64;

/** UTF-16 units of what people read of one hook. */
export const maxMessageCharacters = 2_000;
