import type { InteractionId, TurnId } from "./ids.ts";
import type { InteractionAnswer } from "./gate/interaction.ts";
import type { UserContent } from "./message.ts";
import type { SessionConfig } from "./session-config.ts";

/** Why a turn is stopped from outside. */
export type CancelReason = "interrupted" | "timeout" | "terminated";

/** What a frontend sends. Repeating one changes nothing: turns and interactions are known by their ids. */
export type Submission =
  | { readonly type: "user-input"; readonly turnId: TurnId; readonly content: readonly UserContent[] }
  | { readonly type: "cancel"; readonly reason: CancelReason }
  /** `answerId` comes back in the record of the answer that counted. */
  | {
      readonly type: "answer";
      readonly interactionId: InteractionId;
      readonly answer: InteractionAnswer;
      readonly answerId?: string;
    }
  | { readonly type: "configure"; readonly config: SessionConfig }
  | { readonly type: "compact" }
  /** Takes back all turns but the first `keepTurns`: what was said, what was done to files, or both. */
  | { readonly type: "rewind"; readonly keepTurns: number; readonly conversation: boolean; readonly files: boolean }
  /** Brings back what the last rewind took. */
  | { readonly type: "unwind" };
