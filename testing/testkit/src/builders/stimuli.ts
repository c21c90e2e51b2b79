import type { PreparedCall, Probe, Stimulus } from "@capstan/engine";
import {
  type Action,
  type CancelReason,
  type FileConflict,
  type FileEffect,
  type Finding,
  type InteractionAnswer,
  type ModelFinish,
  type ModelStreamPart,
  type Origin,
  type ProviderFailure,
  type ResolvedSubmission,
  type EffectClass,
  type ToolOutcome,
  toInteractionId,
  toStepId,
  toToolCallId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { callId } from "./calls.ts";

/** A user at a terminal. */
export const tester: Origin = { frontend: "cli", user: "tester" };

export function submit(submission: ResolvedSubmission): Stimulus {
  return { type: "submission", submission, origin: tester, role: "operate" };
}

export function says(turn: string, text = `words of ${turn}`): Stimulus {
  return submit({ type: "user-input", turnId: toTurnId(turn), content: userText(text) });
}

export function cancels(reason: CancelReason = "interrupted"): Stimulus {
  return submit({ type: "cancel", reason });
}

export function answers(interaction: string, answer: InteractionAnswer): Stimulus {
  return submit({ type: "answer", interactionId: toInteractionId(interaction), answer });
}

/** @param parts  facts by name */
export function packed(turn: string, parts: Readonly<Record<string, string>> = {}): Stimulus {
  const facts = Object.entries(parts).map(([name, text]) => ({ name, text }));
  return { type: "context-packed", turnId: toTurnId(turn), parts: facts };
}

export function receives(step: string, parts: readonly ModelStreamPart[], attempt = 1): Stimulus {
  return { type: "model-parts", stepId: toStepId(step), attempt, parts };
}

export function completes(step: string, finish: ModelFinish, attempt = 1): Stimulus {
  return { type: "model-finished", stepId: toStepId(step), attempt, finish };
}

export function fails(step: string, failure: Partial<ProviderFailure> = {}, attempt = 1, chance = 0): Stimulus {
  return { type: "model-failed", stepId: toStepId(step), attempt, failure: providerFailure(failure), chance };
}

/** A failure that may be retried. */
export function providerFailure(overrides: Partial<ProviderFailure> = {}): ProviderFailure {
  return { code: "provider.http", provider: "test", message: "overloaded", retryable: true, ...overrides };
}

/**
 * @param calls  by call id: its action, or the outcome that refuses it
 * @param effect  that of the tools that refuse, where the workspace is why
 */
export function prepared(
  step: string,
  calls: Readonly<Record<string, Action | ToolOutcome>>,
  effect?: EffectClass,
): Stimulus {
  return {
    type: "actions-prepared",
    stepId: toStepId(step),
    prepared: Object.entries(calls).map(([id, item]): PreparedCall =>
      "digest" in item
        ? { callId: callId(id), type: "action", action: item }
        : { callId: callId(id), type: "refused", outcome: item, ...(effect === undefined ? {} : { effect }) },
    ),
  };
}

export function staged(call: string, more: Partial<Extract<Stimulus, { type: "tool-staged" }>> = {}): Stimulus {
  return {
    type: "tool-staged",
    callId: toToolCallId(call),
    settle: { files: [] },
    proposal: `proposal of ${call}`,
    changes: [],
    ...more,
  };
}

export function prints(call: string, delta: string): Stimulus {
  return { type: "tool-output", callId: toToolCallId(call), stream: "stdout", delta };
}

/** A call under way asks its user one thing. */
export function asks(call: string, asker: string = "a server"): Stimulus {
  const questions = [{ question: "Which one?", options: [], multiple: false }];
  return { type: "tool-asks", callId: toToolCallId(call), asker, questions };
}

export function ends(call: string, more: Partial<Extract<Stimulus, { type: "tool-ended" }>> = {}): Stimulus {
  return {
    type: "tool-ended",
    callId: toToolCallId(call),
    outcome: { type: "done", content: `result of ${call}` },
    changes: [],
    observed: [],
    durationMs: 5,
    ...more,
  };
}

/** @param findings  by call id */
export function probed(step: string, findings: Readonly<Record<string, Finding>>): Stimulus {
  const probes = Object.entries(findings).map(([id, finding]): Probe => ({ callId: callId(id), finding, effects: [] }));
  return { type: "calls-probed", stepId: toStepId(step), probes };
}

/** Nothing could be proved. */
export const inDoubt: Finding = { type: "in-doubt", text: "Nobody saw its end." };

export function restores(
  restoreId: string,
  restored: readonly FileEffect[],
  conflicts: readonly FileConflict[] = [],
): Stimulus {
  return { type: "files-restored", restoreId, restored, conflicts };
}

/** A file that went from one content to another; `null`: none. */
export function fileEffect(path: string, before: string | null, after: string | null): FileEffect {
  return { path, before: version(before), after: version(after) };
}

function version(blob: string | null): FileEffect["before"] {
  return blob === null ? null : { blob, mode: "100644" };
}

export function fires(timerId: string): Stimulus {
  return { type: "timer-fired", timerId };
}

export const restarts: Stimulus = { type: "process-restarted" };
