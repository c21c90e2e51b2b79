/** A tool that is named after an agent calls that agent, and only where nothing else is meant. */
import { expect, test } from "vitest";
import { agentCall } from "../../src/dialects/agent-call.ts";

test("NAME_agent is a call of the agent NAME, with what its task and context say", () => {
  expect(agentCall("scout_agent", { task: "Look.", context: "In src." })).toEqual({
    agent: "scout",
    prompt: "Look.\n\nIn src.",
  });
  expect(agentCall("code-review_agent", { prompt: "Check." })).toEqual({ agent: "code-review", prompt: "Check." });
  expect([agentCall("spawn_agent", {}), agentCall("agent", {}), agentCall("read_file", {})]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
