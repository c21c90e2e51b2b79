import { inertLine } from "@capstan/patterns";
import type { ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, addUsage, messageOf, type Spent } from "@capstan/protocol";
import type { Progress } from "@modelcontextprotocol/client";
import type { Connection } from "./connect/connect-server.ts";
import type { ServerDefinition } from "./definition.ts";
import { maxErrorLength, maxSummaryLength, noTimeoutMs } from "./limits.ts";
import { CallTimer } from "./link/call-timer.ts";
import type { RunningCall } from "./link/running-calls.ts";
import type { ServerLink } from "./link/server-link.ts";
import { toToolResult } from "./result-text.ts";

/** A call of a server's tool, with all that it needs. */
export interface ServerCall {
  readonly link: ServerLink;
  readonly tool: ServerDefinition;
  readonly action: Action;
  readonly context: ToolRunContext;
  readonly outputBytes: number;
  /** Whether the tool is what it was, now that its server is connected to; one that was started again may be another one. */
  readonly isStill: () => boolean;
}

/** Calls it, within its time, which stands still while its user is asked. */
export async function callServer({
  link,
  tool,
  action,
  context,
  outputBytes,
  isStill,
}: ServerCall): Promise<ToolResult> {
  context.signal.throwIfAborted();
  const { name, toolTimeoutMs } = link.server;
  const timer = new CallTimer(toolTimeoutMs);
  const costs: Spent[] = [];
  let connection: Connection | undefined;
  let end: (() => void) | undefined;
  try {
    connection = await link.connected();
    if (!isStill()) throw new Error(`the tool ${tool.name} is gone, or not what it was when it was offered`);
    end = link.running.begin(runningCall(context, timer, costs));
    const answer = await connection.client.callTool(
      { name: tool.name, arguments: { ...structuredClone(action.arguments) } },
      {
        signal: AbortSignal.any([context.signal, timer.signal]),
        timeout: noTimeoutMs,
        toolDefinition: tool.said,
        onprogress: (progress) => say(context, progressText(progress)),
      },
    );
    return withSpent(toToolResult(name, tool.name, answer, outputBytes), costs);
  } catch (error) {
    context.signal.throwIfAborted();
    const late: unknown = timer.signal.aborted ? timer.signal.reason : undefined;
    const why = late === undefined ? (connection?.explain(error) ?? messageOf(error)) : messageOf(late);
    const content = `The MCP server ${name} failed: ${inertLine(why, maxErrorLength)}`;
    return withSpent({ status: "failed", code: "tool.failed", content }, costs);
  } finally {
    timer.pause();
    end?.();
  }
}

function runningCall(context: ToolRunContext, timer: CallTimer, costs: Spent[]): RunningCall {
  const { sessionId, signal, ask } = context;
  return {
    sessionId,
    signal,
    ask,
    say: (line) => say(context, line),
    pause: () => timer.pause(),
    resume: () => timer.resume(),
    spend: (spent) => void costs.push(spent),
  };
}

function say(context: ToolRunContext, line: string): void {
  if (line !== "" && !context.signal.aborted) context.onOutput("stdout", `${line}\n`);
}

/** How far a call is, in the server's numbers and words. */
function progressText({ progress, total, message }: Progress): string {
  const share = total === undefined ? "" : `${progress}/${total}`;
  const words = message === undefined ? "" : inertLine(message, maxSummaryLength);
  return [share, words].filter((part) => part !== "").join(" ");
}

/** What the model was asked on the server's behalf counts in the turn. */
function withSpent(result: ToolResult, costs: readonly Spent[]): ToolResult {
  const [first, ...rest] = costs;
  return first === undefined ? result : { ...result, spent: rest.reduce(added, first) };
}

function added(one: Spent, other: Spent): Spent {
  return {
    modelCalls: one.modelCalls + other.modelCalls,
    usage: addUsage(one.usage, other.usage),
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  };
}
