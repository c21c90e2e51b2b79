import type { Agents, Facts, Git, Sandbox, Skills, WebPages, WebSearch } from "@capstan/ports";
import type { BackgroundCommands } from "./background/background-commands.ts";

/** What is remembered. */
export interface MemoryOptions {
  readonly facts: Facts;
  /** The user trusts the workspace: what is learned there may hold elsewhere. */
  readonly isTrusted: boolean;
}

/** What the composition root decides for all built-in tools. Sizes in UTF-8 bytes. */
export interface ToolsOptions {
  /** Deny patterns (`DenyPatterns` of core/patterns): what they cover is never read or written. */
  readonly deniedPatterns: readonly string[];
  /** Whether an absolute path that lies inside a root is accepted. */
  readonly allowAbsolute: boolean;
  /** Where long command output goes; files in it may be read (not written) by the model, though it lies outside the workspace. */
  readonly spillDirectory: string;
  /** Where it is noted how far commands came, for after a crash; one small file each, kept for a week. For nobody else to use. */
  readonly statusDirectory: string;
  /** The user's home directory. */
  readonly home: string;
  /** Capstan's own folders: no command is given leave to change them. */
  readonly ownFolders: readonly string[];
  /** Keeps commands apart from the machine. */
  readonly sandbox: Sandbox;
  /** The environment of commands, already cleaned of secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Takes secrets out of output that goes into a file; results are redacted where they are journaled. */
  readonly redact?: (text: string) => string;
  /** Absolute path of the shell for scripts; `undefined`: bash, else sh. */
  readonly shell: string | undefined;
  /** What sessions run in the background; absent: nothing can be started there. */
  readonly background?: BackgroundCommands | undefined;
  /** What `recall` and `remember` work with; absent: there are no such tools. */
  readonly memory?: MemoryOptions;
  /** What `skill` reads; absent: there is no such tool. */
  readonly skills?: Skills;
  /** Whom `spawn_agent` calls; absent: there is no such tool. */
  readonly agents?: Agents;
  /** What the git tools ask; absent: there are none. */
  readonly git?: () => Promise<Git>;
  /** What `web_fetch` reads; absent: there is no such tool. */
  readonly pages?: WebPages;
  /** What `web_search` asks; absent: there is no such tool. */
  readonly webSearch?: WebSearch;
  readonly timeouts: {
    readonly fileMs: number;
    readonly commandMs: number;
    readonly maxCommandMs: number;
    readonly searchMs: number;
  };
  readonly limits: {
    /** What one result may bring to the model. */
    readonly outputBytes: number;
    readonly readBytes: number;
    readonly scanBytes: number;
    readonly patchBytes: number;
    readonly writeBytes: number;
    readonly searchResults: number;
    readonly globResults: number;
  };
}

/** What finding files by letters of their paths takes. */
export interface FileFinderOptions extends Pick<ToolsOptions, "deniedPatterns" | "spillDirectory"> {
  /** Where programs are looked for, as in `PATH`. */
  readonly searchPath: string;
  /** ms since some moment that does not change. */
  elapsed(): number;
}
