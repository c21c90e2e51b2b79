import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { judge } from "@capstan/policy";
import type { Tool, ToolCatalog, ToolContext } from "@capstan/ports";
import {
  type Action,
  type FileChange,
  type JsonObject,
  type Judgement,
  type PermissionMode,
  type Policy,
  type SandboxSettings,
  type ToolOutcome,
  toToolCallId,
  type Workspace,
} from "@capstan/protocol";
import { prepareActions, refusalOutcome } from "@capstan/runtime";
import { sha256 } from "./system/system-ports.ts";

export interface ToolCallReport {
  readonly action: Action | null;
  readonly judgement: Judgement | null;
  readonly outcome: ToolOutcome;
  readonly changes: readonly FileChange[];
}

export interface ToolCallOptions {
  readonly tools: ToolCatalog;
  readonly workspace: Workspace;
  readonly policy: Policy;
  readonly mode: PermissionMode;
  readonly sandbox: SandboxSettings;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** Takes secrets out of the line that says what the call does. */
  readonly redact?: (text: string) => string;
}

/**
 * One tool call without a model, through the same checks: schema, path rules, rules and mode. A user makes exactly this
 * call, so `ask` is answered by it; `deny` stays. Files count as read, because the user and not a model vouches for them.
 */
export async function callTool(name: string, args: JsonObject, options: ToolCallOptions): Promise<ToolCallReport> {
  const { tools, workspace, signal } = options;
  const { sandbox, mode } = options;
  const context: ToolContext = {
    sessionId: null,
    workspace,
    signal,
    // Who calls it by hand has given the permission that `default` waits for.
    mode: mode === "default" ? "accept-edits" : mode,
    sandbox,
    knownFile: currentHash,
    planSoFar: noPlan,
  };
  const callId = toToolCallId("call_by_hand");
  const call = { type: "tool-call", callId, name, arguments: { type: "json", value: args } } as const;
  const [prepared] = await prepareActions([call], tools, context, { digest: sha256, redact: options.redact ?? String });
  if (prepared?.type !== "action")
    return report(null, null, prepared?.outcome ?? { type: "cancelled", content: "nothing was prepared" });
  const { action } = prepared;
  const judgement = judge(action, {
    policy: options.policy,
    mode,
    workspace,
    sandbox,
    frontend: "cli",
    now: Date.now(),
  });
  const tool = tools.find(action.tool);
  if (judgement.verdict === "deny" || tool === undefined) {
    return report(action, judgement, { type: "denied", by: "policy", content: `Denied: ${judgement.reason}` });
  }
  return execute({ tool, action, judgement, context }, options);
}

interface JudgedCall {
  readonly tool: Tool;
  readonly action: Action;
  readonly judgement: Judgement;
  readonly context: ToolContext;
}

async function execute(
  { tool, action, judgement, context }: JudgedCall,
  { onOutput }: ToolCallOptions,
): Promise<ToolCallReport> {
  try {
    const staged = await tool.stage?.(action, context);
    const settle = staged?.settle ?? { files: [] };
    const run = { ...context, callId: "call_by_hand", settle, onOutput };
    const result = await tool.run(action, staged, run);
    const details = result.details === undefined ? {} : { details: result.details };
    const outcome: ToolOutcome =
      result.status === "ok"
        ? { type: "done", content: result.content, ...details }
        : { type: "failed", code: result.code, content: result.content, ...details };
    return report(action, judgement, outcome, result.changes);
  } catch (error) {
    if (context.signal.aborted) return report(action, judgement, { type: "cancelled", content: "Cancelled." });
    return report(action, judgement, refusalOutcome(error, tool));
  }
}

function report(
  action: Action | null,
  judgement: Judgement | null,
  outcome: ToolOutcome,
  changes: readonly FileChange[] = [],
): ToolCallReport {
  return { action, judgement, outcome, changes };
}

function currentHash(realPath: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(realPath)).digest("hex");
  } catch {
    return undefined;
  }
}

function noPlan(): ReturnType<ToolContext["planSoFar"]> {
  return { written: null, said: null };
}
