import type { ContextPart, SessionId, Workspace } from "@capstan/protocol";

/** The turn that begins. `words`: what its user says, cut where it is long. */
export interface ContextTurn {
  readonly sessionId: SessionId | null;
  readonly words: string;
}

/** Facts for the model, read when a turn begins. Contract: never throws, never waits beyond `signal`, parts have stable names. */
export interface ContextSource {
  collect(workspace: Workspace, signal: AbortSignal, turn: ContextTurn): Promise<readonly ContextPart[]>;
}
