import type { AgentReport, LateReport, ToolResult } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";

/** An agent's report, as the result of a call. */
export function reportResult(agent: string, report: AgentReport): ToolResult {
  const { outcome, sessionId, toolCalls, spent, effects } = report;
  const details: JsonObject = {
    ...report.details,
    agent,
    outcome,
    session: sessionId,
    modelCalls: spent.modelCalls,
    toolCalls,
    tokens: tokensOf(report),
    costUsd: spent.costUsd,
    files: effects.map(({ path }) => path),
  };
  const rest = { content: reportText(agent, report), details, spent, effects };
  return outcome === "done" || outcome === "proposed"
    ? { status: "ok", ...rest }
    : { status: "failed", code: "tool.failed", ...rest };
}

/** A result that also brings the report of an agent that has ended meanwhile. What it spent and changed counts here. */
export function withReport(result: ToolResult, report: LateReport): ToolResult {
  const content = `${result.content.replace(/\n$/, "")}\n\n[Ended in the background:]\n${reportText(report.agent, report)}`;
  return { ...result, content, spent: report.spent, effects: report.effects };
}

/** A report that was asked for: what it spent and changed counts where it was read first. */
export function lateResult(report: LateReport): ToolResult {
  if (report.isNew) return reportResult(report.agent, report);
  const { agent, outcome, text } = report;
  return { status: "ok", content: `${text}\n\n[Agent ${agent}: ${outcome}; you have had this report before]` };
}

function reportText(agent: string, report: AgentReport): string {
  const { outcome, text, sessionId, toolCalls, spent, effects } = report;
  const figures = `${count(spent.modelCalls, "model call")}, ${count(toolCalls, "tool call")}, ${tokensOf(report)} tokens`;
  const own = effects.length === 0 ? "no file changed" : `${count(effects.length, "file")} changed`;
  const files = report.changed ?? own;
  return `${text === "" ? "(It said nothing.)" : text}\n\n[Agent ${agent}: ${outcome}; ${figures}; ${files}; session ${sessionId}]`;
}

function tokensOf({ spent: { usage } }: AgentReport): number {
  return usage.inputTokens + usage.outputTokens;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
