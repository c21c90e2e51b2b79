/** Time a cancelled turn has to end and say so, before the run ends without it. */
export const cancelGraceMs = 10_000;
