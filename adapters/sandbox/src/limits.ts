import type { SandboxLimits } from "./options.ts";

const gib = 1024 ** 3;

/** Enough for a build on many cores; a fork bomb ends here. */
export const defaultLimits: SandboxLimits = {
  processes: 1024,
  // Node, Java and Go reserve far more than they use, but what is reserved does not count: only what can be written to.
  memoryBytes: 8 * gib,
  fileBytes: 8 * gib,
  temporaryBytes: 2 * gib,
};

/** The self-test takes 20 ms; a `bwrap` that hangs must not hold the start. */
export const selfTestTimeoutMs = 5_000;
/** A holder starts in 20 ms; a `bwrap` that hangs must not hold the start. */
export const holderStartTimeoutMs = 5_000;
/** Between two looks whether a covered file was replaced, in ms: with the renewal it takes less than 100. */
export const renewalPollMs = 40;
/** Times in a row that a renewal of covers may fail. */
export const maxRenewalTries = 3;
/** Renewals in one holder: each leaves a mount. */
export const maxRenewals = 10_000;
/** Times a holder is made ready again because something was moved meanwhile. */
export const maxHolderTries = 5;
/** Holders of one session: a further one for each set of folders that a command may change besides the workspace. */
export const maxHoldings = 8;
/** The self-test answers with less than 8 KiB. */
export const selfTestOutputBytes: number = 64 * 1024;

/** Directories looked at for repositories and protected files before a command: more take longer than people wait. */
export const maxSurveyedDirectories = 20_000;
/** Folders of which it is remembered what is in them: two open folders as large as are looked through. */
export const maxRememberedFolders = 40_000;
/** Trees of which the folders are remembered, and ways to look at one. */
export const maxRememberedTrees = 8;
/** A folder that was changed within this time before it was read is not remembered (ms): some file systems count in two seconds. */
export const settledFolderMs = 2000;
/** A tree of source code is seldom more than 12 deep. */
export const maxSurveyDepth = 24;
/** Directories looked at for further names of protected files; only where such a file has some. */
export const maxLinkedFolders = 20_000;
/** After so many directories other work gets its turn: about 5 ms. */
export const surveySliceDirectories = 200;
/** Mounts for protected paths: each takes about a third of a millisecond. */
export const maxProtectedPaths = 1_000;
/** Build folders and cache files that a command may change in a workspace that is read-only otherwise: a mount each. */
export const maxBuildFolders = 200;
/** An index of a million files has some 100 MB; what is larger is not read, and then nothing in its repository is a build folder. */
export const maxIndexBytes: number = 128 * 1024 * 1024;
/** A `.git` file, `commondir` or `gitdir` holds one path. */
export const maxPointerBytes: number = 8 * 1024;
/** Folders of repositories that are looked at for what runs later: submodules, working trees and what lies in a `.git`. */
export const maxGitFolders = 1_000;
/** Submodules' names may hold slashes: so deep a folder of one is looked for in a `.git`. */
export const maxGitFolderDepth = 6;
/** Folders of `/etc` that are looked at for what only root may read: machines have a few hundred. */
export const maxSystemFolders = 5_000;
/** Folders looked at in search of protected ones that were moved out of sight: with more, no command is started. */
export const maxSearchedFolders = 200_000;
/** Protected files and folders of a workspace that are remembered. */
export const maxKnownPlaces = 5_000;
/** The list of them is smaller than this. */
export const maxKnownBytes: number = 4 * 1024 * 1024;
/** Protected files of which it is asked whether they are committed: repositories have a handful. */
export const maxCommittedFiles = 500;
/** Keys, certificates and settings are some kilobytes. */
export const maxCommittedBytes: number = 1024 * 1024;
/** Looks at a file that was committed and has changed while git writes to its repository: two seconds. */
export const maxLooksAtGit = 50;
/** Git's own configuration files are a few kilobytes. */
export const maxGitConfigBytes: number = 256 * 1024;

/** How long the last process of a run is waited for after `bwrap` has ended. The kernel takes milliseconds. */
export const processesGoneTimeoutMs = 5_000;
/** Between two looks whether it is gone, in ms. */
export const processesGonePollMs = 2;
/** Package managers' caches of all workspaces. */
export const maxCacheBytes: number = 2 * gib;
/** Caches that were used within this time are not dropped, nor are they measured more often. */
export const cacheRestMs: number = 60 * 60 * 1000;
/** Files of one workspace's caches that are measured: more are too many. */
export const maxMeasuredFiles = 500_000;
/** Things in quarantine that are listed. */
export const maxQuarantined = 10_000;
/** Governing names that are moved to quarantine after one command; there are twenty of them, in each folder. */
export const maxMovedNames = 1_000;
/** Notes of killed runs that are cleared at a time. */
export const maxSweptNotes = 1_000;

/** What one client of the proxy may send before it says where it wants to go. */
export const maxProxyHeaderBytes: number = 8 * 1024;
/** Connections of one command at a time, both ways counted. */
export const maxProxyConnections = 128;
/** Connections to the proxy of one session at a time, also of those that are no command of it. */
export const maxWayOutConnections = 1_024;
/** Until a client has said where it wants to go. */
export const proxyHeadTimeoutMs = 10_000;
/** Until a host is connected to. */
export const proxyConnectTimeoutMs = 15_000;
/** A connection over which nothing goes is given up. */
export const proxyIdleTimeoutMs = 300_000;
/** How long a connection waits for its user before it is refused. */
export const proxyQuestionTimeoutMs = 60_000;
/** Refused hosts that are reported. */
export const maxRefusedHosts = 50;

/** A `package.json` is a few kilobytes. */
export const maxScannedManifestBytes: number = 1024 * 1024;
/** What a command left that runs later, reported one by one: more is not read. */
export const maxReportedPaths = 50;
