import type {
  HookAnswer,
  HookEntry,
  HookEvent,
  HookOutcome,
  JsonObject,
  PermissionMode,
  SessionId,
  Workspace,
} from "@capstan/protocol";

/** A moment at which hooks are asked, with what they are shown. */
export interface HookRequest {
  readonly event: HookEvent;
  /** In the order in which they run. */
  readonly entries: readonly HookEntry[];
  /** What it is about: the tool and its arguments, the words of the user, …; our names. */
  readonly facts: JsonObject;
  readonly sessionId: SessionId;
  readonly workspace: Workspace;
  readonly mode: PermissionMode;
}

/** What came of it. */
export interface HookReport {
  /** One for each entry, in their order. */
  readonly outcomes: readonly HookOutcome[];
  readonly answer: HookAnswer;
}

/**
 * Runs hooks.
 *
 * Contract:
 * - It never throws for what a hook does or is: that is an outcome. It throws the signal's reason when it was aborted.
 * - The answer holds what the moment takes and nothing else; of several words on a call it is the strictest.
 * - When it resolves or rejects, nothing of the hooks is left running; when the process dies, either.
 */
export interface HookRunner {
  run(request: HookRequest, signal: AbortSignal): Promise<HookReport>;
}
