/** UTF-16 units of the code of one call. */
export const maxCodeLength = 50_000;

/** ms that the code may run. */
export const runJsMs = 2000;

/** ms until the engine must be ready; and, beyond the code's own time, until its thread is ended from outside. */
export const engineStartMs = 30_000;
export const overtimeMs = 1000;

/** Bytes of everything that the code keeps. */
export const runJsMemoryBytes: number = 64 * 1024 * 1024;

/** Bytes of the engine's stack: less than a thread has, so that endless recursion is an error of the code. */
export const runJsStackBytes: number = 128 * 1024;

/** MB of the heap of the thread, beside the engine's own memory. */
export const runJsHeapMegabytes = 128;

/** UTF-16 units of what is printed and of the value, together. */
export const maxJsOutputLength = 20_000;

/** Jobs of promises that follow the code. */
export const maxJsJobs = 100_000;

/** UTF-16 units of the line that says what runs. */
export const maxJsSummaryLength = 200;
