import type { Action, ModelRequest, ModelSettings, StepId, ToolCallBlock, ToolCallId, TurnId } from "@capstan/protocol";

/** What `decide` asks the runtime to do, after the records of the same decision are durable and published. */
export type Effect =
  | { readonly type: "pack-context"; readonly turnId: TurnId }
  | {
      readonly type: "call-model";
      readonly stepId: StepId;
      readonly attempt: number;
      readonly model: ModelSettings;
      readonly request: ModelRequest;
    }
  | { readonly type: "stop-model"; readonly stepId: StepId }
  | { readonly type: "prepare-actions"; readonly stepId: StepId; readonly calls: readonly ToolCallBlock[] }
  /** Work an effect out without applying it. */
  | { readonly type: "stage-tool"; readonly callId: ToolCallId; readonly action: Action }
  | { readonly type: "run-tool"; readonly callId: ToolCallId; readonly action: Action }
  | { readonly type: "stop-tools"; readonly callIds: readonly ToolCallId[] }
  | { readonly type: "start-timer"; readonly timerId: string; readonly delayMs: number }
  | { readonly type: "stop-timer"; readonly timerId: string };
