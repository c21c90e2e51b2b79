import {
  type Action,
  type Interaction,
  type JournalRecord,
  type SessionConfig,
  type SessionId,
  toInteractionId,
  toSessionId,
  toStepId,
  toToolCallId,
  toTurnId,
} from "@capstan/protocol";

// Whole records from the few words that matter to a store.

/** A user at a terminal. */
const origin = { frontend: "cli" };

export function notice(text: string): JournalRecord {
  return { type: "notice", level: "info", code: "sample", text };
}

export function delta(step: string, text: string): JournalRecord {
  return { type: "text-delta", stepId: toStepId(step), delta: text };
}

export function thinking(step: string, text: string): JournalRecord {
  return { type: "thinking-delta", stepId: toStepId(step), delta: text };
}

export function output(call: string, text: string): JournalRecord {
  return { type: "tool-output-delta", callId: toToolCallId(call), stream: "stdout", delta: text };
}

export function retrying(step: string): JournalRecord {
  const failure = { code: "provider.stream", provider: "sample", message: "cut", retryable: true } as const;
  return { type: "step-retrying", stepId: toStepId(step), attempt: 2, delayMs: 500, failure };
}

export function abandoned(step: string): JournalRecord {
  return { type: "step-abandoned", stepId: toStepId(step), cause: "cancelled", text: "" };
}

export function finished(call: string): JournalRecord {
  const outcome = { type: "done", content: "ok" } as const;
  return { type: "tool-finished", callId: toToolCallId(call), outcome, changes: [], observed: [], durationMs: 1 };
}

export function started(
  cwd: string,
  forkedFrom?: { readonly sessionId: SessionId; readonly seq: number },
): JournalRecord {
  const workspace = { cwd, roots: [cwd] };
  const fork = forkedFrom === undefined ? {} : { forkedFrom };
  return { type: "session-started", sessionId: toSessionId("sample"), workspace, origin, version: "0.1.0", ...fork };
}

export function configured(provider: string, model: string): JournalRecord {
  return { type: "session-configured", config: sampleConfig(provider, model) };
}

export function titled(title: string): JournalRecord {
  return { type: "session-titled", title, origin };
}

export function turn(id: string, text: string): JournalRecord {
  return { type: "turn-started", turnId: toTurnId(id), content: [{ type: "text", text }], origin };
}

export function ended(id: string): JournalRecord {
  return { type: "turn-ended", turnId: toTurnId(id), outcome: "done", rolledBack: false };
}

export function opened(id: string): JournalRecord {
  return { type: "interaction-opened", turnId: toTurnId("t1"), interaction: approval(id) };
}

export function resolved(id: string): JournalRecord {
  return { type: "interaction-resolved", interactionId: toInteractionId(id), answer: { type: "void" }, origin };
}

export function approval(id: string): Interaction {
  const request = {
    type: "approval",
    callId: toToolCallId("c1"),
    action: sampleAction,
    reason: "the mode asks",
    risk: "medium",
    warnings: [],
  } as const;
  const { digest } = sampleAction;
  return { id: toInteractionId(id), request, digest, openedAt: 0, expiresAt: null, origin, answerers: [] };
}

const sampleAction: Action = {
  tool: "run_command",
  arguments: { argv: ["true"] },
  effect: "execute",
  risk: "medium",
  paths: [],
  summary: "true",
  digest: "0".repeat(64),
};

function sampleConfig(provider: string, id: string): SessionConfig {
  return {
    model: { provider, id, wire: "sample", contextWindowTokens: 1000, maxOutputTokens: 100, options: {} },
    fallbacks: [],
    mode: "default",
    policy: { approval: "default", rules: [], yolo: false },
    limits: {
      maxToolCallsPerBatch: 64,
      maxToolIterationsPerTurn: 200,
      maxModelCallsPerTurn: null,
      maxCostUsd: null,
      maxTokensPerTurn: null,
      maxTurnDurationMs: null,
      maxToolArgumentsBytes: 1024,
      maxIdenticalCalls: 3,
      maxParallelReads: 8,
      maxBytesWrittenPerTurn: null,
      maxFilesWrittenPerTurn: null,
    },
    retry: { maxAttempts: 3, baseDelayMs: 500, maxDelayMs: 8000, jitter: 0.2, maxRetryAfterMs: 60_000 },
    strategy: "parallel-reads",
    askPolicy: "deny",
    interactionExpiryMs: null,
    sandbox: { isolation: { type: "enforced" }, autoRun: true, withoutIsolation: "refuse", hosts: [] },
    onUnknown: "tell-model",
    systemPrompt: "",
    tools: [],
  };
}
