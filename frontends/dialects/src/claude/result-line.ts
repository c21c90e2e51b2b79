import { randomUUID } from "node:crypto";
import type { JsonObject } from "@capstan/protocol";
import type { RefusedCall, TurnEnd } from "../session/turn-end.ts";
import { claudeCall, claudeUsage, stopReason } from "./claude-words.ts";

/** What the line says beyond the turn. */
interface Totals {
  readonly sessionId: string;
  readonly costUsd: number;
  readonly modelUsage: JsonObject;
}

/** The line that ends what became of a user's message. */
export function resultLine(end: TurnEnd, { sessionId, costUsd, modelUsage }: Totals): JsonObject {
  const subtype = subtypeOf(end);
  const isSuccess = subtype === "success";
  return {
    type: "result",
    subtype,
    is_error: !isSuccess,
    duration_ms: end.durationMs,
    duration_api_ms: end.durationMs,
    num_turns: end.spent.modelCalls,
    ...(isSuccess ? { result: end.text } : { errors: [errorOf(end)] }),
    ...(end.structured === undefined ? {} : { structured_output: end.structured }),
    stop_reason: stopReason(end.reason),
    session_id: sessionId,
    total_cost_usd: costUsd,
    usage: { ...claudeUsage(end.spent.usage), server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 } },
    modelUsage,
    permission_denials: end.refused.map(denialOf),
    uuid: randomUUID(),
  };
}

function subtypeOf({ outcome, misfit, limit, message = "" }: TurnEnd): string {
  if (misfit !== undefined) return "error_max_structured_output_retries";
  switch (outcome) {
    case "done":
    case "proposed":
    case "tool-denied":
      return "success";
    case "limit-reached":
      if (/cost|USD/.test(limit ?? message)) return "error_max_budget_usd";
      return /model calls|tool rounds/.test(limit ?? message) ? "error_max_turns" : "error_during_execution";
    default:
      return "error_during_execution";
  }
}

function errorOf({ outcome, misfit, message, failure }: TurnEnd): string {
  if (misfit !== undefined) return `the answer does not fit the schema: ${misfit}`;
  return message ?? failure?.message ?? outcome;
}

function denialOf({ callId, tool, arguments: args }: RefusedCall): JsonObject {
  const { name, input } = claudeCall(tool, args);
  return { tool_name: name, tool_use_id: callId, tool_input: input };
}
