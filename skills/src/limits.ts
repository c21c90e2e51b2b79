// Every bound of this package, with its unit and its reason.

/** Characters of a name and a description that are kept: the Agent Skills format has 64 and 1024. */
export const maxNameCharacters = 64;
export const maxDescriptionCharacters = 1024;

/** Bytes of one file of a skill that are read: a model reads no more at once. */
export const maxFileBytes: number = 256 * 1024;

/** Folders of one place that are looked at, and skills that are offered in all. */
export const maxFoldersOfPlace = 500;
export const maxSkills = 200;

/** Files of a skill that are named, and folders in folders that are looked into for them. */
export const maxNamedFiles = 50;
export const maxDepth = 3;

/** Bytes of names and descriptions that a request carries: what goes beyond is shortened, evenly. */
export const maxListBytes: number = 8 * 1024;
export const minDescriptionCharacters = 60;

/** Rules of tools that a skill may name. */
export const maxToolRules = 50;
