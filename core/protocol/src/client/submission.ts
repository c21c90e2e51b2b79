import type { InteractionAnswer } from "../gate/interaction.ts";
import type { ProposedFile } from "../gate/proposal.ts";
import type { PermissionMode } from "../gate/policy.ts";
import type { InteractionId, StepId, TurnId } from "../ids.ts";
import type { UserContent } from "../message.ts";
import type { SessionConfig, ToolStrategy, TurnLimits } from "../session-config.ts";
import type { RefusalCode } from "./refusal-catalog.ts";

/** Why a turn is stopped from outside. */
export type CancelReason = "interrupted" | "timeout" | "terminated";

/**
 * What a client sends. Every submission has an identity of its own (a turn, an interaction, a waiting input, what it sets, or a
 * `submissionId`), so that repeating one changes nothing.
 */
export type Submission =
  /**
   * Words. `queue` (the default): they begin a turn, at once or when the session is idle again. `steer`: they reach the model before the
   * next step of the open turn; where none is open they begin one. With `expectedTurnId` they are refused unless that turn is open.
   * `follows` names the turn whose answer they ask for again: in lists and for a rewind both are one, where nothing came between.
   */
  | {
      readonly type: "user-input";
      readonly turnId: TurnId;
      readonly content: readonly UserContent[];
      readonly delivery?: "queue" | "steer";
      readonly expectedTurnId?: TurnId;
      readonly follows?: TurnId;
    }
  /**
   * Stops the open turn; with `turnId` only if it is that one. `queued` says what becomes of the words that wait: `continue` (the default)
   * begins the next turn, `hand-back` takes them out of the queue and returns them as drafts.
   */
  | {
      readonly type: "cancel";
      readonly reason: CancelReason;
      readonly turnId?: TurnId;
      readonly queued?: "continue" | "hand-back";
    }
  /**
   * A user's own command (`!` in frontends), as a turn that asks no model: it runs as the model's commands do, in the session's workspace,
   * sandbox and rules; the user's word is its approval, and a rule that denies still denies. The model reads it, with what came out, in the
   * next turn. Refused while anything is open or waits.
   */
  | { readonly type: "run-for-user"; readonly turnId: TurnId; readonly command: UserCommand }
  /** Changes one waiting input. */
  | { readonly type: "queue-change"; readonly turnId: TurnId; readonly change: QueueChange }
  /** `answerId` comes back in the record of the answer that counted. */
  | {
      readonly type: "answer";
      readonly interactionId: InteractionId;
      readonly answer: InteractionAnswer;
      readonly answerId?: string;
    }
  /** Changes the named settings and leaves the others. */
  | { readonly type: "set"; readonly settings: SettingsPatch }
  /** Names the session; an empty title removes the name that a user gave. */
  | { readonly type: "title"; readonly title: string }
  /** Carries out what an earlier process left open, in a session that was opened without doing so. */
  | { readonly type: "resume" }
  | { readonly type: "compact"; readonly submissionId?: string }
  /** Changes a summary that stands in for older messages, or whether it does. Refused while anything is open or waits. */
  | {
      readonly type: "change-compaction";
      readonly compaction: StepId;
      readonly change: CompactionChange;
      readonly submissionId?: string;
    }
  /** Takes back all turns but the first `keepTurns`: what was said, what was done to files, or both. */
  | {
      readonly type: "rewind";
      readonly keepTurns: number;
      readonly conversation: boolean;
      readonly files: boolean;
      readonly submissionId?: string;
    }
  /** Brings back what the last rewind took. */
  | { readonly type: "unwind"; readonly submissionId?: string }
  /** Applies or refuses changes that were proposed; without `files` all that are. */
  | {
      readonly type: "settle-proposals";
      readonly decision: "apply" | "refuse";
      readonly files?: readonly ProposedFile[];
      readonly submissionId?: string;
    }
  /** Takes back an approval that is remembered in this session. */
  | { readonly type: "revoke-grant"; readonly grantId: string };

/** A program with its arguments, for which nothing needs quoting, or a script for the shell. */
export type UserCommand = { readonly argv: readonly string[] } | { readonly script: string };

/** `undo` shows what was shown before it was made, `redo` shows it again. */
export type CompactionChange =
  | { readonly type: "edit"; readonly summary: string }
  | { readonly type: "undo" }
  | { readonly type: "redo" };

/** What happens to an input that waits. */
export type QueueChange =
  | { readonly type: "remove" }
  | { readonly type: "replace"; readonly content: readonly UserContent[] }
  /** `before`: the waiting input it comes before; `null`: it comes last. */
  | { readonly type: "move"; readonly before: TurnId | null }
  /** It reaches the model before the next step of the open turn. */
  | { readonly type: "now" };

/** Settings that a client may change, each by itself. Names are resolved where the engine runs. */
export interface SettingsPatch {
  readonly mode?: PermissionMode;
  /** `provider/id`. */
  readonly model?: string;
  /** How much effort goes into answers: a level of `app.effort`, or `default`, which is what the configuration says. */
  readonly effort?: string;
  readonly strategy?: ToolStrategy;
  readonly limits?: Partial<TurnLimits>;
}

/** What the engine decides on: a submission whose names are resolved. `configure` changes the given settings and leaves the others. */
export type ResolvedSubmission =
  | Exclude<Submission, { readonly type: "set" }>
  | { readonly type: "configure"; readonly config: ChangedSettings };

/** Settings with the values that they get; those that are left out stay, each limit by itself. */
export type ChangedSettings = Partial<Omit<SessionConfig, "limits">> & { readonly limits?: Partial<TurnLimits> };

/** What became of a submission. */
export type Receipt =
  /** It counted; its last record has the number `seq`, or, where it changed nothing, the journal's last. */
  | { readonly type: "accepted"; readonly seq: number }
  /** It changed nothing. `hint`: what to do next, as a sentence. */
  | { readonly type: "refused"; readonly code: RefusalCode; readonly reason: string; readonly hint?: string };
