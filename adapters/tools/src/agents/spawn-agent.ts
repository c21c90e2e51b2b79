import type { AgentReport, Agents, ToolResult } from "@capstan/ports";
import { type JsonObject, toToolCallId, ToolRefusal } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";
import type { ToolCode } from "../tool-entry.ts";

/** UTF-16 units. */
const maxSummaryLength = 200;

/** `spawn_agent`: an agent's work, in a session of its own. Called again for the same call it finds that session. */
export function createSpawnAgentTool(agents: Agents): ToolCode {
  return {
    prepare: async (args, { sessionId }) => {
      const { agent, prompt } = request(args);
      if (sessionId === null)
        throw new ToolRefusal("rejected", "tool.bad-arguments", "An agent needs a session that calls it.");
      return await Promise.resolve({
        tool: "spawn_agent",
        arguments: { agent, prompt },
        effect: "delegate",
        risk: "low",
        paths: [],
        summary: inertText(`agent ${agent}: ${prompt}`, maxSummaryLength),
      });
    },
    run: async ({ arguments: args }, _staged, { sessionId, callId, signal, ...context }) => {
      if (sessionId === null) throw new Error("an agent was called outside of a session");
      try {
        const report = await agents.run({
          ...request(args),
          sessionId,
          callId: toToolCallId(callId),
          signal,
          onProgress: (line) => context.onOutput("stdout", `${line}\n`),
        });
        return toResult(request(args).agent, report);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ToolRefusal) return { status: "failed", code: error.code, content: error.message };
        throw error;
      }
    },
  };
}

function request({ agent, prompt }: JsonObject): { readonly agent: string; readonly prompt: string } {
  return { agent: typeof agent === "string" ? agent : "", prompt: typeof prompt === "string" ? prompt : "" };
}

function toResult(agent: string, { outcome, text, sessionId, toolCalls, spent, effects }: AgentReport): ToolResult {
  const { modelCalls, usage, costUsd } = spent;
  const tokens = usage.inputTokens + usage.outputTokens;
  const figures = `${count(modelCalls, "model call")}, ${count(toolCalls, "tool call")}, ${tokens} tokens`;
  const files = effects.length === 0 ? "no file changed" : `${count(effects.length, "file")} changed`;
  const content = `${text === "" ? "(It said nothing.)" : text}\n\n[Agent ${agent}: ${outcome}; ${figures}; ${files}; session ${sessionId}]`;
  const details = {
    agent,
    outcome,
    session: sessionId,
    modelCalls,
    toolCalls,
    tokens,
    costUsd,
    files: effects.map(({ path }) => path),
  };
  const rest = { content, details, spent, effects };
  return outcome === "done" ? { status: "ok", ...rest } : { status: "failed", code: "tool.failed", ...rest };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
