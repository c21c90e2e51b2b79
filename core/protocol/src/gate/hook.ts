import type { ToolCallId, TurnId } from "../ids.ts";
import type { JsonObject } from "../json.ts";
import type { RuleVerdict } from "./policy.ts";

/** A moment at which hooks are asked or informed. */
export type HookEvent =
  | "SessionStart"
  | "SubagentStart"
  | "BeforeRun"
  | "UserPromptSubmit"
  | "BeforeContextPack"
  | "AfterContextPack"
  | "BeforeModelCall"
  | "AfterModelCall"
  | "PreToolUse"
  | "BeforeSpawnSubagent"
  | "BeforeApplyChanges"
  | "PermissionRequest"
  | "Notification"
  | "OnToolCall"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "AfterApplyChanges"
  | "PreCompact"
  | "PostCompact"
  | "Stop"
  | "SubagentStop"
  | "OnError"
  | "OnAgentError"
  | "AfterRun"
  | "SessionEnd";

/** Whose a hook is: the user's configuration, the program that embeds the engine, or a file of the workspace. */
export type HookOwner = "user" | "program" | "workspace";

/** A hook, for people. */
export interface HookName {
  /** Changes with what it runs. */
  readonly id: string;
  /** Where it is written. */
  readonly name: string;
  readonly by: HookOwner;
}

/** A hook as decisions know it. What it runs is known to whoever runs it alone, by its id. */
export interface HookEntry extends HookName {
  readonly event: HookEvent;
  /** What it is asked about: names, `A|B`, a regular expression; `*` or nothing: everything. */
  readonly matcher: string;
}

/**
 * `passed`: it answered. `blocked`: it refused. `failed`: it ended badly, and its answer does not count. `timed-out`, `not-run`: it gave none.
 * `skipped`: one before it had refused. `unknown`: the process died while it ran. `cancelled`: the turn ended before it did.
 */
export type HookResult =
  | "passed"
  | "blocked"
  | "failed"
  | "timed-out"
  | "not-run"
  | "skipped"
  | "unknown"
  | "cancelled";

/** What became of one hook. */
export interface HookOutcome extends HookName {
  readonly result: HookResult;
  /** For people: why, or what it said. */
  readonly message?: string;
  readonly durationMs: number;
}

/** What hooks say about a call; the strictest word of several. */
export interface HookVerdict {
  readonly verdict: RuleVerdict;
  readonly reason: string;
  /** Whose hook said it. */
  readonly by: HookOwner;
}

/** What the hooks of one moment answered together. A field that the moment does not take is left out. */
export interface HookAnswer {
  readonly verdict?: HookVerdict;
  /** In place of those of the call. */
  readonly arguments?: JsonObject;
  /** For the model, beside everything else. */
  readonly context?: readonly string[];
  /** In place of what the call brought, for the model. */
  readonly result?: string;
  /** Why what was about to happen must not. */
  readonly block?: string;
  /** Why the turn must end. */
  readonly stop?: string;
}

export type HookRecord =
  /** The intent, durable before a hook runs: whatever becomes of the process, it is known and not run again. */
  | {
      readonly type: "hook-started";
      readonly runId: string;
      readonly event: HookEvent;
      /** What in the turn it is about, so that nothing is asked twice. */
      readonly key: string;
      /** In the order in which they run. */
      readonly hooks: readonly HookName[];
      readonly turnId?: TurnId;
      readonly callId?: ToolCallId;
    }
  | {
      readonly type: "hook-finished";
      readonly runId: string;
      readonly event: HookEvent;
      readonly outcomes: readonly HookOutcome[];
      readonly answer: HookAnswer;
    };
