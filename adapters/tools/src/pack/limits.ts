/** Files that are named as left out of a pack: more would say nothing new. */
export const maxRefusedShown = 50;

/** Looking for the files of a pack, in ms: a turn waits for it. */
export const packWalkMs = 5000;
