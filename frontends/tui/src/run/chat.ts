import type { ClientIdentity, EngineClient, Receipt, SessionTarget, Submission, UserContent } from "@capstan/protocol";
import type { Row } from "@capstan/view";
import type { Draft } from "../draft/draft.ts";
import type { PickerEntry } from "../overlay/picker.ts";
import type { FollowedSession } from "./followed-session.ts";

/** What keys and commands do with the chat. */
export interface Chat {
  readonly engine: EngineClient;
  readonly identity: ClientIdentity;
  readonly session: FollowedSession;
  readonly columns: number;
  draft: Draft;
  /** For a moment, in the status line. */
  say(text: string): void;
  /** To look through on the whole screen. */
  show(
    title: string,
    rows: readonly Row[],
    options?: { readonly marks?: readonly number[]; readonly atEnd?: boolean },
  ): void;
  /** @returns `null`: nothing was chosen */
  pick<Value>(title: string, entries: readonly PickerEntry<Value>[], at?: number): Promise<Value | null>;
  /** Says why where it was refused. */
  submit(submission: Submission): Promise<Receipt>;
  /** Words for the model: a turn, or, while one runs, what waits for its end. */
  send(content: readonly UserContent[], delivery?: "queue" | "steer"): Promise<void>;
  /** Leaves this session as it is and opens another. */
  open(target: SessionTarget): Promise<void>;
  toggleScreen(): void;
  /** To the terminal's clipboard. */
  copy(text: string): void;
  quit(): void;
}

/** What only the program can do for the terminal UI. */
export interface Surroundings {
  /** Files that `@` names in a text, as what is sent beside it. */
  readonly referencesOf: (
    text: string,
  ) => Promise<{ readonly attachments: readonly UserContent[]; readonly missing: readonly string[] }>;
  /** The user's own editor; the terminal is theirs meanwhile. */
  readonly edit: (text: string, ending: string) => Promise<{ readonly text: string } | { readonly problem: string }>;
  readonly writeFile: (path: string, text: string) => Promise<void>;
}
