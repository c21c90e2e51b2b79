import type {
  JournalRecord,
  Policy,
  RetryPolicy,
  Rule,
  SandboxSettings,
  SessionConfig,
  TurnLimits,
  Workspace,
} from "@capstan/protocol";
import { toSessionId } from "@capstan/protocol";
import { tester } from "./stimuli.ts";

/** What a test says about a session's settings; everything else is as in `sessionConfig()`. */
export type ConfigOverrides = Partial<Omit<SessionConfig, "limits" | "retry" | "policy">> & {
  readonly limits?: Partial<TurnLimits>;
  readonly retry?: Partial<RetryPolicy>;
  readonly policy?: Partial<Policy>;
};

/** Settings under which reads run, changes are asked about, nothing is limited and prices are known. */
export function sessionConfig(overrides: ConfigOverrides = {}): SessionConfig {
  const { limits, retry, policy, ...rest } = overrides;
  return {
    model: testModel,
    fallbacks: [],
    mode: "default",
    strategy: "parallel-reads",
    askPolicy: "ask",
    interactionExpiryMs: null,
    sandbox: noSandbox,
    onUnknown: "fail",
    systemPrompt: "You are being tested.",
    tools: testTools,
    ...rest,
    policy: { approval: "default", rules: [], yolo: false, ...policy },
    limits: { ...noLimits, ...limits },
    retry: { maxAttempts: 3, baseDelayMs: 1000, maxDelayMs: 30_000, jitter: 0, maxRetryAfterMs: 60_000, ...retry },
  };
}

/** Commands are judged as they were before there was a sandbox. */
export const noSandbox: SandboxSettings = {
  isolation: { type: "none", reason: "a test has none" },
  autoRun: false,
  withoutIsolation: "run",
  hosts: [],
};

/** The rule under which a tool runs without asking. */
export function allowing(tool: string): Rule {
  return { verdict: "allow", tool, source: "user", text: tool };
}

/** The rule under which a tool never runs. */
export function denying(tool: string): Rule {
  return { verdict: "deny", tool, source: "user", text: tool };
}

/** The first records of a session. */
export function opening(config: SessionConfig = sessionConfig()): readonly JournalRecord[] {
  return [
    {
      type: "session-started",
      sessionId: toSessionId("session"),
      workspace: testWorkspace,
      origin: tester,
      version: "0.0.0",
    },
    { type: "session-configured", config },
  ];
}

export const testWorkspace: Workspace = { cwd: "/work", roots: ["/work"] };

/** 3 and 15 USD per million tokens. */
const testModel: SessionConfig["model"] = {
  provider: "test",
  id: "model-1",
  wire: "anthropic",
  contextWindowTokens: 200_000,
  maxOutputTokens: 4096,
  prices: { input: 3, output: 15 },
  options: {},
};

const noLimits: TurnLimits = {
  maxToolCallsPerBatch: 64,
  maxToolIterationsPerTurn: 200,
  maxModelCallsPerTurn: null,
  maxCostUsd: null,
  maxTokensPerTurn: null,
  maxTurnDurationMs: null,
  maxToolArgumentsBytes: 100_000,
  maxIdenticalCalls: 3,
  maxParallelReads: 8,
  maxBytesWrittenPerTurn: null,
  maxFilesWrittenPerTurn: null,
};

/** One tool of each effect class, as `scriptedTools` has them. */
const testTools: SessionConfig["tools"] = ["look", "change", "act"].map((name) => ({
  name,
  description: `Does what ${name} says.`,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}));
