/** Put in its place where the code is built: a mark of the text of the fold and of the state's types (`scripts/state-mark`). */
declare const capstanStateMark: string | undefined;

/**
 * Names who can read a saved state. `null` where nothing was built: there is no saying what the code is that runs, and so nothing is
 * saved, and every session is folded from its beginning.
 */
export const stateFormat: string | null = typeof capstanStateMark === "string" ? capstanStateMark : null;
