import type { ClientIdentity, EngineClient, JsonObject, SessionTarget, UserContent } from "@capstan/protocol";
import type { PasteLimits } from "../draft/draft.ts";
import type { Keymap } from "../keys/keymap.ts";
import type { WriterOptions } from "../terminal/inline-writer.ts";
import type { StatusItem } from "../status/status-items.ts";
import type { NotificationWay } from "../terminal/notification.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface TuiOptions extends WriterOptions {
  readonly engine: EngineClient;
  readonly terminal: Terminal;
  readonly identity: ClientIdentity;
  readonly target: SessionTarget;
  readonly surroundings: Surroundings;
  readonly isFull: boolean;
  /** The terminal is asked for its background, and `theme` is only assumed until it answers. */
  readonly asksBackground: boolean;
  /** Sent at once. */
  readonly words: readonly UserContent[];
  /** Lines above everything else: warnings of the settings, and what the folder brings along. */
  readonly notices: readonly string[];
  /** How the terminal is notified that something waits, or that a long turn has ended, while its window has not the focus; `null`: not. */
  readonly notification: NotificationWay | null;
  /** The draft is edited with the keys of vim. */
  readonly vim: boolean;
  readonly pasteLimits: PasteLimits;
  readonly keymap: Keymap;
  /** What the status line says beside what happens, in this order. */
  readonly statusItems: readonly StatusItem[];
  /** A program of the user's that writes it in their place; `null`: there is none. */
  readonly askStatus: ((input: JsonObject) => Promise<string | null>) | null;
  /** Capstan's own. */
  readonly version: string;
  /** Nothing moves but what is new. */
  readonly reducedMotion: boolean;
  /** Stops the process as `Ctrl-Z` does. */
  readonly suspend: () => void;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

/** What only the program can do for the terminal UI. */
export interface Surroundings {
  /** The folder it was started for: absolute and real. */
  readonly cwd: string;
  /** Files that `@` names in a text, as what is sent beside it. */
  readonly referencesOf: (
    text: string,
  ) => Promise<{ readonly attachments: readonly UserContent[]; readonly missing: readonly string[] }>;
  /** Commands that stand for a prompt, beside those of the terminal UI. */
  readonly customCommands: () => readonly { readonly name: string; readonly takes: string; readonly about: string }[];
  /**
   * What `/name arguments` of one of them says, and whether files that it names are sent beside it; of a script the line that runs it.
   * @throws AppError for one that cannot be used
   */
  readonly expandCommand: (
    text: string,
  ) => { readonly text: string; readonly mayAttach: boolean } | { readonly script: string };
  /** The user's own editor; the terminal is theirs meanwhile. */
  readonly edit: (text: string, ending: string) => Promise<{ readonly text: string } | { readonly problem: string }>;
  readonly settings: SettingsDesk;
  /** The picture on the clipboard, as base64. */
  readonly clipboardImage: () => Promise<
    { readonly mediaType: string; readonly data: string } | { readonly problem: string }
  >;
  readonly writeFile: (path: string, text: string) => Promise<void>;
}

/** The user's configuration as it is in files, and changes of it. What runs keeps what it began with. */
export interface SettingsDesk {
  /** What a setting is for, what it accepts, and what each layer said about it. @throws AppError for what is none */
  readonly explain: (key: string) => ExplainedSetting;
  /** A value for the user's file, as it would be typed there; `null`: none. @throws AppError when it does not fit */
  readonly change: (key: string, text: string | null) => Promise<SettingChange>;
}

export interface ExplainedSetting {
  readonly lines: readonly string[];
  /** In words: `true or false`. */
  readonly accepts: string;
  /** Empty: any value that fits. */
  readonly choices: readonly string[];
  /** As it would be typed; secrets are masked. */
  readonly value: string;
  /** Whether the user's own file sets it. */
  readonly isOwn: boolean;
}

/** It has been checked, and nothing was written yet. */
export interface SettingChange {
  /** What it would do. */
  readonly lines: readonly string[];
  /** @returns what was done */
  readonly write: () => Promise<readonly string[]>;
}
