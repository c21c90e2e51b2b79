import type { Interaction, InteractionAnswer, InteractionId, Origin, SessionId } from "@capstan/protocol";

/** Something that waits for a user, with the session it belongs to. */
export interface InboxEntry {
  readonly sessionId: SessionId;
  /** First words of the session. */
  readonly title: string;
  readonly cwd: string;
  /** The process that writes to the session and continues as soon as it is answered; `null`: none. */
  readonly owner: { readonly processId: number; readonly frontend: string } | null;
  readonly interaction: Interaction;
}

/** How something that waited was settled. */
export interface Settled {
  readonly interactionId: InteractionId;
  readonly answer: InteractionAnswer | { readonly type: "void" } | { readonly type: "expired" };
  readonly origin: Origin;
  /** ms since 1970. */
  readonly at: number;
  readonly answerId?: string;
}

/** What was found under an id. */
export type Found =
  | { readonly type: "pending"; readonly entry: InboxEntry }
  | {
      readonly type: "settled";
      readonly sessionId: SessionId;
      readonly interaction: Interaction;
      readonly settled: Settled;
    };

/** Why an answer changed nothing. */
export interface Refusal {
  readonly code:
    | "interaction.unknown"
    | "interaction.settled"
    | "interaction.expired"
    | "interaction.stale"
    | "interaction.not-yours"
    | "interaction.wrong-answer"
    | "session.busy";
  readonly text: string;
}

/** What became of an answer. */
export type AnswerReport =
  /** It counted. `continuedBy`: the process that continues with it now; `null`: the session waits to be resumed. */
  | { readonly type: "accepted"; readonly continuedBy: InboxEntry["owner"] }
  /** It changed nothing. */
  | ({ readonly type: "refused" } & Refusal);
