// Every bound of this package, with its unit and its reason.

/** Characters of a name and a description that are kept. */
export const maxNameCharacters = 64;
export const maxDescriptionCharacters = 1024;

/** Personas in all, and files of one place that are looked at. */
export const maxPersonas = 200;
export const maxFilesOfPlace = 500;

/** Characters of what the model reads of one: it is sent with every request. */
export const maxPromptCharacters = 20_000;

/** Tools, and other personas, that one may name. */
export const maxNames = 100;

/** Personas that one session has, those that come with others included. */
export const maxStacked = 16;
