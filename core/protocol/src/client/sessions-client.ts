import type { ProposedFile } from "../gate/proposal.ts";
import type { SessionId, TurnId } from "../ids.ts";
import type { FileConflict } from "../action.ts";
import type { SessionEvent } from "../record.ts";
import type { SessionSummary } from "../session-snapshot.ts";
import type { ClientIdentity } from "./client-identity.ts";
import type { Check } from "./installation.ts";
import type { HistoryPage } from "./history-page.ts";
import type { Receipt } from "./submission.ts";

/** Sessions as a whole. What changes one takes an identity, whose role `methodRoles` names: else it throws `door.role`. */
export interface SessionsClient {
  /** Newest activity first. */
  list(): Promise<readonly SessionSummary[]>;
  /** Pushes the whole list once and again whenever something in it changes, until the iteration is given up, as with `attach`. */
  watch(): AsyncIterable<readonly SessionSummary[]>;
  /** Kept events after `after`, oldest first, at most about `limit`. @throws AppError `session.unknown` */
  read(id: SessionId, after: number, limit?: number): Promise<readonly SessionEvent[]>;
  /** The newest page of kept events with numbers below `before` (`null`: the newest of all), at most about `limit`. @throws AppError `session.unknown` */
  history(id: SessionId, before: number | null, limit: number): Promise<HistoryPage>;
  /** Full id for an id, a unique prefix, or a unique title. @throws AppError `session.unknown`, `session.ambiguous` */
  resolve(idOrName: string): Promise<SessionId>;
  /**
   * Copies a session as it is now under a new id, and opens neither. What is in flight stays in the original; the copy is at rest.
   * @throws AppError `session.unknown`
   */
  copy(id: SessionId, identity: ClientIdentity): Promise<SessionId>;
  /** Removes it for good. @throws AppError `session.unknown`, `session.busy` while a process writes to it */
  delete(id: SessionId, identity: ClientIdentity): Promise<void>;
  /**
   * The lines of the session's file, without line ends, as `import` reads them. Secrets are taken out, unless it is to be `exact`, which
   * takes the role `operate`.
   * @throws AppError `session.unknown`, `storage.corrupt`, with the first line that is asked for
   */
  export(id: SessionId, options: ExportOptions, identity: ClientIdentity): AsyncIterable<string>;
  /**
   * Stores the session of a file, whichever agent wrote it. It lives in the workspace of the engine, begins at rest, and gives no leave.
   * @throws AppError `import.*`, `usage.invalid` for an id that is taken
   */
  import(file: SessionFile, identity: ClientIdentity): Promise<ImportReport>;
  /**
   * Takes turns back, or brings back what was taken, through the process that writes to the session. Where there is none, what an earlier
   * process left is settled first as far as it can be proved, and nothing is carried on with. Asked for again after a crash in the middle,
   * it is done once.
   * @throws AppError `session.unknown`, `storage.*`
   */
  rewind(id: SessionId, request: RewindRequest, identity: ClientIdentity): Promise<RewindReport>;
  /**
   * Applies or refuses changes that a session proposed, as `rewind` does what it does. A file that is no longer what the proposal stands on is left alone.
   * @throws AppError `session.unknown`, `storage.*`
   */
  settleProposals(id: SessionId, request: ProposalsRequest, identity: ClientIdentity): Promise<RewindReport>;
  /** Verifies what is stored of a session, what it folds to and what models would be sent. @throws AppError `session.unknown` */
  check(id: SessionId): Promise<readonly Check[]>;
}

export interface ExportOptions {
  /** With its secrets, and with the session's own chain. */
  readonly exact: boolean;
}

/** A session as a file has it. */
export interface SessionFile {
  /** For messages. */
  readonly name: string;
  readonly text: SessionText;
  /** The id that the session gets; absent: its own, or a new one for another agent's. */
  readonly as?: string;
  /** Keep the longest good beginning of a broken file. */
  readonly heal?: boolean;
}

/** A text; or, where it is too long to be held, its lines without their ends, as often as they are asked for. */
export type SessionText = string | Iterable<string>;

/** The text as one. */
export function wholeText(text: SessionText): string {
  return typeof text === "string" ? text : [...text].join("\n");
}

/** What an import brought. */
export interface ImportReport {
  readonly sessionId: SessionId;
  /** Whose file it was: `Capstan`, `Claude Code`, … */
  readonly agent: string;
  /** The session's id there; empty where the file names none. */
  readonly foreignId: string;
  readonly turns: number;
  readonly calls: number;
  readonly records: number;
  /** What was found broken or could not be taken over, with how often. */
  readonly healed: Readonly<Record<string, number>>;
  /** What users should know besides. */
  readonly notes: readonly string[];
}

export type RewindRequest =
  | {
      readonly type: "back";
      /** How many turns stay; without it all but the last. */
      readonly keepTurns?: number;
      readonly conversation: boolean;
      readonly files: boolean;
    }
  | { readonly type: "forth" };

export interface ProposalsRequest {
  readonly decision: "apply" | "refuse";
  /** Absent: all that wait. */
  readonly files?: readonly ProposedFile[];
}

export interface RewindReport {
  /** `refused`: there was nothing to do, or the session is not at rest. */
  readonly receipt: Receipt;
  /** What happened, in order, with what had to be settled first. */
  readonly events: readonly SessionEvent[];
}

/**
 * What a rewind would do: as far as the journal shows, and, where a process has the session at work, with what others changed since.
 * Until the files are restored somebody may change them again.
 */
export interface RewindPreview {
  /** Turns that would be taken back, oldest first. */
  readonly turns: readonly TurnId[];
  /** Files that would be restored. Absolute paths. `created`: it is not there now. */
  readonly files: readonly { readonly path: string; readonly change: "created" | "changed" | "removed" }[];
  /** Files that would be left alone, or restored in part only. */
  readonly conflicts: readonly FileConflict[];
  /** What could not be kept before these turns, in words: it stays as it is. */
  readonly left: readonly string[];
}

export interface FoundFiles {
  /** Relative to the working directory, with `/`. */
  readonly paths: readonly string[];
  /** The workspace has more files than were looked at. */
  readonly isPartial: boolean;
}
