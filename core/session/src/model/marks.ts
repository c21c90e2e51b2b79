import type {
  FileEffect,
  Message,
  Origin,
  PermissionMode,
  PlanToCarryOut,
  Task,
  ToolCallId,
  TurnId,
} from "@capstan/protocol";
import type { Summary } from "@capstan/wording";

export interface ApprovedPlan extends PlanToCarryOut {
  /** Of the one turn that carries it out. */
  readonly turnId: TurnId;
  /** The turn that made it, and the call that presented it. */
  readonly follows: TurnId;
  readonly callId: ToolCallId;
  /** `null`: nothing was written down of it. */
  readonly plan: string | null;
  readonly mode: PermissionMode;
  readonly origin: Origin;
}

/** What it takes to take a turn back. */
export interface TurnMark {
  readonly turnId: TurnId;
  /** Turns that are part of it: each asked for its answer again. */
  readonly joined?: readonly TurnId[];
  /** What there was before the turn: messages, known facts, summary, tasks. */
  readonly messagesBefore: number;
  readonly knownBefore: Readonly<Record<string, string>>;
  readonly summaryBefore: Summary | null;
  readonly tasksBefore: readonly Task[];
  /** It began with a clean context. */
  readonly clean: boolean;
  /** What its calls did to files, in the order in which they ended. */
  readonly effects: readonly FileEffect[];
  /** What could not be kept before its calls, in words: nobody knows whether they changed it. */
  readonly left: readonly string[];
  /** The plan that it wrote into a file last; `null`: it presented one since, which had its answer. */
  readonly plan?: string | null;
}

/** What it takes to undo a rewind: the session as it was before, and what was done to files. */
export interface RewindMark {
  readonly turns: readonly TurnMark[];
  readonly conversation: readonly Message[];
  readonly knownFacts: Readonly<Record<string, string>>;
  readonly summary: Summary | null;
  readonly summaries: readonly Summary[];
  readonly tasks: readonly Task[];
  readonly restored: readonly FileEffect[];
}
