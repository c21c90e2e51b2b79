/** Files of a workspace that are looked at; more make the answer a part of the whole. */
export const maxListedFiles = 200_000;

/** How long the listing may take (ms): a completion that comes later helps nobody. */
export const listingTimeoutMs = 5000;

/** How long a listing is used again (ms): one look at the disk for a word that is being typed. */
export const listingAgeMs = 2000;

/** UTF-16 units of what is looked for. */
export const maxSoughtCharacters = 200;
