/** How long a command's time stands still for one question about a host: as long as the connection waits. */
export const maxPauseMs = 60_000;

/** How long it stands still in all: ten questions that nobody answers. */
export const maxPausesMs: number = 10 * maxPauseMs;

/** Between asking a process group to end (TERM) and ending it (KILL): time for a test runner to remove its own children and files. */
export const killDelayMs = 2_000;

/** A killed process that does not go (uninterruptible disk wait) is not waited for any longer than this. */
export const exitAfterKillMs = 5_000;

/** Silence on the pipes after the command itself has ended, from which we conclude that only a background process holds them. */
export const pipeQuietMs = 250;

/** The most we listen to background processes that keep writing after the command itself has ended. */
export const pipeGraceMs = 1_000;

/** Killed stragglers are gone within a few milliseconds; a zombie nobody collects is not waited for any longer than this. */
export const groupGoneMs = 500;

/** How often we look whether killed stragglers are gone. */
export const groupPollMs = 5;

/** UTF-8 bytes of a result kept back for the line with the exit code and the note about what was left out. */
export const reservedBytes = 1_024;

/** UTF-8 bytes searched for a line break, so that a long output is cut between lines. */
export const lineCutBytes = 2_048;

/** UTF-8 bytes of one command's output kept in a file: 64 MiB, more than any reader will page through. */
export const spillBytes: number = 64 * 1024 * 1024;

/** Free names tried for one spill file. */
export const spillNameTries = 8;

/** Characters of a call id used in a file name. */
export const spillNameLength = 80;

/** Live output is joined for this long before it is shown: people do not read faster, and each piece is a journal record. */
export const liveFlushMs = 50;

/** UTF-16 units shown live at a time; of a faster output the latest part is shown. */
export const liveFlushLength = 16_384;

/** UTF-16 units of one command's output shown live: every piece is journaled, so this bounds the journal. */
export const liveTotalLength = 1_048_576;

/** Characters of the line people approve; the middle of a longer command is left out, counted. */
export const summaryLength = 2_000;

/** Longer runs of blanks are counted in place of being shown: padding must not push the rest of a command out of sight. */
export const blankRunLength = 20;

/** How often we look whether the pipes have gone silent. */
export const pipePollMs = 25;

/** A line without an end that is held back to look for secrets in it; beyond, it is handed on in pieces. */
export const maxCarriedLineBytes: number = 64 * 1024;

/** How often we look whether processes that were asked to end have done so: people wait for the answer to a cancel. */
export const stopPollMs = 20;

/** Processes of one command that are asked to end before they are made to: a build on many cores has some hundred. */
export const maxAsked = 500;

/** So long a living process without an environment may be in the middle of `exec`, on a machine that is busy. */
export const startingMs = 40;

/** Looks at all processes that find nothing, but during which some process ended: after so many we believe it. */
export const maxUncertainLooks = 16;

/** So many of them follow each other at once; before each further one there is a moment, in which whoever was just being started gets somewhere. */
export const promptUncertainLooks = 3;
export const uncertainPauseMs = 2;

/** Bytes of one process's environment in which a run's mark is looked for. Linux allows environments of 6 MiB; real ones are below 64 KiB. */
export const maxEnvironmentBytes: number = 2 * 1024 * 1024;

/** Bytes of a run's status file that are read: ours have less than 500. */
export const maxStatusBytes = 4_096;

/** How long a run's status file is kept. */
export const statusKeptMs: number = 7 * 24 * 3_600_000;

/** How long the absence of a status file proves that nothing was started: well below the age at which files are removed. */
export const absenceProvesMs: number = 6 * 24 * 3_600_000;

/** Names in the folder of status files looked at by one pruning: some 10 ms. */
export const maxPrunedNames = 5_000;

/** Times a supervisor that went away is replaced while the same commands run: one that cannot live must not be started forever. */
export const maxSupervisorRestarts = 3;

/** UTF-16 units of the output that people saw, repeated to the model when a command's end is found after a crash. */
export const recoveredOutputLength = 16_384;

/** The same where the end was not seen: the text is part of a question to a user. */
export const doubtOutputLength = 1_000;

/** More processes than any machine starts in a millisecond: says how soon their numbers can have gone round once. */
export const maxForksPerMs = 100;

/** mkfifo takes two milliseconds (ms); one that hangs must not hold the command. */
export const makeTimeoutMs = 2_000;

/** Pipes that are made for so many commands at once: four descriptors each, until they are used. */
export const pairsMadeTogether = 6;
