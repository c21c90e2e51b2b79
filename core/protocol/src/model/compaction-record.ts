import type { Origin } from "../gate/interaction.ts";
import type { StepId, ToolCallId, TurnId } from "../ids.ts";
import type { Usage } from "./model-stream.ts";

/** Why older messages are summarised. `asked`: a user wants it. `budget`: the next request would not fit. `overflow`: the vendor said it did not. */
export type CompactionReason = "asked" | "budget" | "overflow";

export type CompactionRecord =
  | {
      readonly type: "compaction-started";
      readonly stepId: StepId;
      readonly messageCount: number;
      readonly attempt: number;
      /** Of the submission that asked for it, so that repeating that one changes nothing. */
      readonly submissionId?: string;
      /** The turn under way that waits for it; absent: none is. */
      readonly turnId?: TurnId;
      /** Absent: `asked`. */
      readonly reason?: CompactionReason;
      /** Who is asked, `provider/id`; absent: the model of the turn. */
      readonly model?: string;
    }
  /** A summary of the first `messageCount` messages is made beside the turn. A turn that comes to need it waits for it: `compaction-started` names it again. */
  | {
      readonly type: "summary-started";
      readonly stepId: StepId;
      readonly messageCount: number;
      readonly attempt: number;
      /** Who is asked, `provider/id`. */
      readonly model: string;
      /** What it may cost at most: set aside from what the turn may cost. Absent: not known. */
      readonly mayCostUsd?: number;
    }
  /** The summary is there, and shown when the originals have no room any more (`compaction-selected`). The fields are those of `compaction-completed`. */
  | {
      readonly type: "summary-made";
      readonly stepId: StepId;
      readonly summary: string;
      readonly messageCount: number;
      readonly usage: Usage;
      readonly costUsd: number | null;
      readonly kept?: readonly KeptWords[];
      readonly by?: "rules";
      readonly compactor?: string;
      readonly tokens?: { readonly before: number; readonly after: number };
    }
  /** It was not made, or would save nothing. The fields are those of `compaction-failed`. */
  | {
      readonly type: "summary-dropped";
      readonly stepId: StepId;
      readonly message: string;
      readonly usage?: Usage;
      readonly costUsd?: number | null;
    }
  /** From now on the model sees `summary` in place of the first `messageCount` messages; the originals stay in the journal. */
  | {
      readonly type: "compaction-completed";
      readonly stepId: StepId;
      readonly summary: string;
      readonly messageCount: number;
      readonly usage: Usage;
      readonly costUsd: number | null;
      /** What the model still sees word for word beside the summary. */
      readonly kept?: readonly KeptWords[];
      /** `rules`: no model wrote the summary. Absent: one did. `compactor`: what was to make it; absent: `summarizer`. */
      readonly by?: "rules";
      readonly compactor?: string;
      /** Of the next request with and without it: what the engine guesses. */
      readonly tokens?: { readonly before: number; readonly after: number };
    }
  | {
      readonly type: "compaction-failed";
      readonly stepId: StepId;
      readonly message: string;
      /** Of an answer that was no summary; absent: there was none. */
      readonly usage?: Usage;
      readonly costUsd?: number | null;
    }
  /** From now on the model sees another summary that was made before, or, with `null`, the originals. */
  | {
      readonly type: "compaction-selected";
      readonly stepId: StepId | null;
      readonly reason: SelectionReason;
      /** Where a user chose: who, and by which submission. */
      readonly origin?: Origin;
      readonly submissionId?: string;
    }
  /** From now on the summary has these words: a user's, in place of those it had. */
  | {
      readonly type: "compaction-edited";
      readonly stepId: StepId;
      readonly summary: string;
      readonly origin: Origin;
      readonly submissionId?: string;
    }
  /** From now on the model sees of each tool result among the first `messageCount` messages no more than so many UTF-16 units. */
  | { readonly type: "results-shortened"; readonly messageCount: number; readonly characters: number }
  /** Results that are shown cut can be read in parts from these files. `null`: none could be written. */
  | {
      readonly type: "results-kept";
      readonly files: readonly { readonly callId: ToolCallId; readonly path: string | null }[];
    };

/** Why another summary is shown than before. `undone`: a user took the compaction back; `redone`: a user wants it again. */
export type SelectionReason = "smaller-window" | "larger-window" | "undone" | "redone";

/** Words of the conversation that no summary replaces. `failed`: what was tried and did not work. */
export interface KeptWords {
  readonly kind: "first-request" | "request" | "constraint" | "decision" | "failed";
  readonly text: string;
}
