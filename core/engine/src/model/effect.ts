import type {
  Action,
  Checkpoint,
  FileEffect,
  Grant,
  HookEntry,
  HookEvent,
  InteractionEnd,
  JsonObject,
  ModelRequest,
  ModelSettings,
  SettleEvidence,
  StepId,
  ToolCallBlock,
  ToolCallId,
  TurnId,
} from "@capstan/protocol";

/** What `decide` asks the runtime to do, after the records of the same decision are durable and published. */
export type Effect =
  | { readonly type: "pack-context"; readonly turnId: TurnId }
  | {
      readonly type: "call-model";
      readonly stepId: StepId;
      readonly attempt: number;
      readonly model: ModelSettings;
      readonly request: ModelRequest;
      /** It may take no longer than this, in ms; absent: as long as any call may. */
      readonly limitMs?: number;
    }
  | { readonly type: "stop-model"; readonly stepId: StepId }
  /** In call order, each on top of what those before it will do. */
  | { readonly type: "prepare-actions"; readonly stepId: StepId; readonly calls: readonly ToolCallBlock[] }
  /** Work an effect out, unless the call is to be prepared again by now. `onlyReads`: it is certain to change no file, so that none need be kept. */
  | { readonly type: "stage-tool"; readonly callId: ToolCallId; readonly action: Action; readonly onlyReads?: true }
  | { readonly type: "run-tool"; readonly callId: ToolCallId; readonly action: Action }
  /** What came of a question of a call under way; `void`: nobody can be asked. */
  | { readonly type: "answer-tool"; readonly callId: ToolCallId; readonly answer: InteractionEnd }
  /** Find out what became of calls whose process died. */
  | { readonly type: "probe-calls"; readonly stepId: StepId; readonly calls: readonly CallToProbe[] }
  /** `together`: lists of paths of which all are brought where they should be, or none. */
  | {
      readonly type: "restore-files";
      readonly restoreId: string;
      readonly files: readonly FileEffect[];
      readonly together?: readonly (readonly string[])[];
    }
  /** An approval that holds beyond the session. */
  | { readonly type: "keep-grant"; readonly grant: Grant }
  /** In their order. */
  | {
      readonly type: "run-hooks";
      readonly runId: string;
      readonly event: HookEvent;
      readonly entries: readonly HookEntry[];
      /** What they are shown beyond the session. */
      readonly facts: JsonObject;
    }
  | { readonly type: "stop-hooks"; readonly runId: string }
  | { readonly type: "stop-tools"; readonly callIds: readonly ToolCallId[] }
  | { readonly type: "start-timer"; readonly timerId: string; readonly delayMs: number }
  | { readonly type: "stop-timer"; readonly timerId: string };

/** A call that was under way, with what its intent recorded. */
export interface CallToProbe {
  readonly callId: ToolCallId;
  readonly action: Action;
  readonly settle: SettleEvidence;
  readonly checkpoint: Checkpoint | null;
  /** The end of the output that people saw. */
  readonly output: string;
}
