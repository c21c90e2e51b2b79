/** Offences of one kind that are listed; the others are counted. */
export const maxListed = 10;
