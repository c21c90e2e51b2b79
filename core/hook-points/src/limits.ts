/** UTF-16 units of a name that an expression looks at: how long one takes may grow fast with them. */
export const maxMatchedCharacters = 64;

/** How often in one turn hooks may push a model on that was done. */
export const maxStopPushes = 8;

/** UTF-16 units of what hooks of one moment tell a model. */
export const maxContextCharacters = 10_000;
