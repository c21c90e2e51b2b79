import type { ContextPart, Workspace } from "@capstan/protocol";

/** Facts for the model, read when a turn begins. Contract: never throws, never waits beyond `signal`, parts have stable names. */
export interface ContextSource {
  collect(workspace: Workspace, signal: AbortSignal): Promise<readonly ContextPart[]>;
}
