import type { ProxyChoice } from "./network/proxy-choice.ts";

/** Everything that the sandbox knows; it reads neither environment nor home by itself. Paths are absolute. */
export interface SandboxOptions {
  /** The user's home directory: programs find an empty one in its place, with the toolchains in it. */
  readonly home: string;
  /** A folder of the sandbox's own, made when missing: notes of what a killed run left, short-lived nameless files. */
  readonly stateDirectory: string;
  /** Capstan's own folders: data, configuration, caches. No program sees them. */
  readonly hidden: readonly string[];
  /** Where package managers' caches are kept, one folder for each workspace; without it they last as long as the session. */
  readonly cacheDirectory?: string;
  /** Deny patterns (`DenyPatterns` of core/patterns): what they cover in the workspace cannot be opened. */
  readonly deniedPatterns: readonly string[];
  /** What of the home may be read, relative to it or absolute; without it, what usual toolchains need. */
  readonly toolchains?: readonly string[];
  /** Files that programs find in their home from the start, by paths in it; asked for with each session. */
  readonly homeFiles?: () => Promise<readonly { readonly path: string; readonly content: string }[]>;
  /** How git is asked which protected files are committed as they are: those are not closed. Without it, all are. */
  readonly git?: () => Promise<InertGit>;
  /** Further places of the home that may be read. */
  readonly readable?: readonly string[];
  /** Names besides `buildFolderNames`. */
  readonly buildFolders?: readonly string[];
  readonly limits?: Partial<SandboxLimits>;
  /** The user's own proxy, through which granted hosts are reached; without it, directly. */
  readonly proxyFor?: ProxyChoice;
  /** Between two looks whether a covered file was replaced while a command runs, in ms; `Infinity`: nobody looks. Without it, 40. */
  readonly renewalPollMs?: number;
  /** The `bwrap` to use; without it, the first on `searchPath` that can be trusted. */
  readonly bubblewrap?: string;
  /** A `PATH`: where `bwrap` is looked for. Entries that are not absolute do not count. */
  readonly searchPath: string;
  /** Real paths of folders that commands may change: no `bwrap` in them is ever started. */
  readonly open?: readonly string[];
  /** The Node.js that runs this process: commands find it, too. */
  readonly node: string;
}

/** What keeps a repository's own settings from running anything while git looks at it. */
export interface InertGit {
  readonly settings: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What one program and all it starts may use up. */
export interface SandboxLimits {
  /** Processes and threads at a time. */
  readonly processes: number;
  /** Private memory of one process, in bytes. */
  readonly memoryBytes: number;
  /** Size of one file, in bytes. */
  readonly fileBytes: number;
  /** Size of each temporary folder, which lies in memory, in bytes. */
  readonly temporaryBytes: number;
}
