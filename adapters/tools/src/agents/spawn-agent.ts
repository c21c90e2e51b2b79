import type { Agents, AgentTask, ToolResult } from "@capstan/ports";
import { type JsonObject, toToolCallId, ToolRefusal } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";
import type { ToolCode } from "../tool-entry.ts";
import { reportResult } from "./agent-result.ts";

/** UTF-16 units. */
const maxSummaryLength = 200;

/** `spawn_agent`: an agent's work, in a session of its own. Called again for the same call it finds that session. */
export function createSpawnAgentTool(agents: Agents): ToolCode {
  return {
    prepare: async (args, { sessionId }) => {
      const { agent, prompt, background, isolation } = request(args);
      if (sessionId === null)
        throw new ToolRefusal("rejected", "tool.bad-arguments", "An agent needs a session that calls it.");
      const how = `${background ? " in the background" : ""}${isolation === undefined ? "" : " in a working tree of its own"}`;
      return await Promise.resolve({
        tool: "spawn_agent",
        arguments: {
          agent,
          prompt,
          ...(background ? { background } : {}),
          ...(isolation === undefined ? {} : { isolation }),
        },
        effect: "delegate",
        risk: "low",
        paths: [],
        summary: inertText(`agent ${agent}${how}: ${prompt}`, maxSummaryLength),
      });
    },
    run: async ({ arguments: args }, _staged, { sessionId, callId, signal, ...context }) => {
      if (sessionId === null) throw new Error("an agent was called outside of a session");
      const asked = request(args);
      const onProgress = (line: string): void => context.onOutput("stdout", `${line}\n`);
      const task = { ...asked, sessionId, callId: toToolCallId(callId), signal, onProgress };
      try {
        return asked.background ? await begin(agents, task) : reportResult(asked.agent, await agents.run(task));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ToolRefusal) return { status: "failed", code: error.code, content: error.message };
        throw error;
      }
    },
  };
}

async function begin(agents: Agents, task: AgentTask): Promise<ToolResult> {
  const id = await agents.start(task);
  const how =
    "Its report comes with the result of a later call. command_output with this id waits for it (wait_seconds) and stops it; without an id it lists all.";
  return {
    status: "ok",
    content: `The agent ${task.agent} works in the background as ${id}. ${how}`,
    details: { agent: task.agent, session: id, isBackground: true },
  };
}

interface Asked {
  readonly agent: string;
  readonly prompt: string;
  readonly background: boolean;
  readonly isolation?: "worktree";
}

function request({ agent, prompt, background, isolation }: JsonObject): Asked {
  return {
    agent: typeof agent === "string" ? agent : "",
    prompt: typeof prompt === "string" ? prompt : "",
    background: background === true,
    ...(isolation === "worktree" ? { isolation } : {}),
  };
}
