/** Bytes of one configuration file. Real ones have a few kilobytes; a project's may be hostile. */
export const maxConfigFileBytes: number = 1024 * 1024;

/** Levels of arrays and tables inside one value. Ours need 3; the parser recurses. */
export const maxValueDepth = 32;

/** Names in a path whose line is remembered. The longest that can be wrong has six (`presets.p.permissions.rules.0.tool`). */
export const maxPathSegments = 8;

/** Directories looked through from the working directory up to the repository root. Linux paths end near 4,096 bytes. */
export const maxProjectLevels = 128;

/** Problems printed at once: more than a screen helps nobody. */
export const maxListedProblems = 20;

/** Warnings kept for one project file: it may hold thousands of unknown keys. */
export const maxWarningsPerFile = 30;

/** Characters of a value or name quoted in a message. */
export const maxQuotedCharacters = 80;

/** Levels of `${A:-${B:-…}}`. */
export const maxVariableDepth = 8;

/** Characters of one value after its variables were put in: variables are small, and a value may repeat one. */
export const maxExpandedCharacters: number = 1024 * 1024;

/** Patterns or examples of one rule, and rules that the lists of one table may make. */
export const maxExamples = 200;

/** Policy files of a directory, and of a configuration with all that they include. */
export const maxPolicyFiles = 64;

/** Entries of one list. Rules and patterns are tested one by one at every call. */
export const maxListEntries = 2000;

/** Servers of one `.mcp.json`: each is a process or a connection of every session. */
export const maxServersOfFile = 32;

/** Seconds that a hook may take: nobody waits an hour for a word on a call. */
export const maxHookSeconds = 3600;

/** Policy files that one file may include: a user reads them. */
export const maxIncludes = 20;
