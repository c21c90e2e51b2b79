/** Plugins of one workspace: each is a process. */
export const maxPlugins = 32;

/** Files of one plugin, and their bytes together: they are sent to its process. */
export const maxFilesOfPlugin = 2000;
export const maxPluginBytes: number = 16 * 1024 * 1024;
export const maxDepth = 12;

/** Until it took its leave; then it is ended. */
export const farewellMs = 1000;

/** One message in either direction. */
export const maxMessageBytes: number = 32 * 1024 * 1024;

/** Tools and services of one plugin, and the bytes that describe them. */
export const maxToolsOfPlugin = 64;
export const maxServicesOfPlugin = 64;
export const maxDefinitionBytes: number = 16 * 1024;

/** What one piece of progress may hold, and how many a call may report. */
export const maxReportCharacters = 4000;
export const maxReportsOfCall = 1000;

/** What is kept of a plugin's standard error: its last words. */
export const maxLastWords = 2000;

/** Heap of a plugin's code. */
export const pluginHeapMegabytes = 256;

/** Characters of a plugin's own words in a notice. */
export const maxProblemCharacters = 500;

/** Seconds that a call of a tool written as data may take: where nothing is said, and at most. */
export const defaultDeclaredSeconds = 60;
export const maxDeclaredSeconds = 600;

/** What a call of such a tool may give. */
export const maxDeclaredOutputBytes: number = 1024 * 1024;
