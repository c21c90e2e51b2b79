import { hookPointNamed } from "@capstan/hook-points";
import { expect, test } from "vitest";

const names = {
  "the agent whose scripts work as they are":
    "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit PermissionRequest Notification Stop SubagentStart SubagentStop PreCompact PostCompact SessionStart SessionEnd",
  "the seed with seventeen events":
    "sessionStart beforeContextPack afterContextPack userPromptSubmit sessionEnd beforeAgentStart beforeModelCall preCompact preToolUse postToolUse beforeSpawnSubagent notification onError onAgentError stop afterAgentComplete subagentStop",
  "the seed with run hooks":
    "beforeRun afterRun beforeLLMCall afterLLMCall beforeToolCall afterToolCall onToolCall onCompacted onBeforeToolCall onAfterToolCall",
  "the seed that asks around changes": "BeforeApplyChanges AfterApplyChanges",
};

test.each(Object.entries(names))("every event of %s is a moment of the catalog", (_, all) => {
  expect(all.split(" ").filter((name) => hookPointNamed(name) === undefined)).toEqual([]);
});
