import type { Action, JsonObject, ToolCallId, ToolOutcome } from "@capstan/protocol";
import type { Moment } from "./hook-memory.ts";

/** A call whose action is known, with what hooks may know its tool by. */
export interface NamedCall {
  readonly callId: ToolCallId;
  readonly action: Pick<Action, "tool" | "arguments" | "effect" | "paths">;
  readonly names: readonly string[];
}

/** What a call is asked about before it is judged. */
export function momentsBeforeCall({ callId, action, names }: NamedCall): readonly Moment[] {
  const { agent } = action.arguments;
  const facts = factsOf(action);
  const moment = (event: Moment["event"], more: readonly string[] = []): Moment => ({
    event,
    key: `${event}:${callId}`,
    names: [...names, ...more],
    callId,
    facts,
  });
  switch (action.effect) {
    case "delegate":
      return [moment("PreToolUse"), moment("BeforeSpawnSubagent", typeof agent === "string" ? [agent] : [])];
    case "write":
      return [moment("PreToolUse"), moment("BeforeApplyChanges")];
    default:
      return [moment("PreToolUse")];
  }
}

/** What a call is asked about once it is judged, and the word on it is *ask*. */
export function momentBeforeAsking({ callId, action, names }: NamedCall): Moment {
  return { event: "PermissionRequest", key: `PermissionRequest:${callId}`, names, callId, facts: factsOf(action) };
}

/** What is said of a call that ran. */
export function momentsAfterCall({ callId, action, names }: NamedCall, outcome: ToolOutcome): readonly Moment[] {
  if (outcome.type !== "done" && outcome.type !== "failed") return [];
  const facts = { ...factsOf(action), result: outcome.content };
  const moment = (event: Moment["event"]): Moment => ({ event, key: `${event}:${callId}`, names, callId, facts });
  if (outcome.type === "failed") return [moment("PostToolUseFailure")];
  return [moment("PostToolUse"), ...(action.effect === "write" ? [moment("AfterApplyChanges")] : [])];
}

function factsOf({ tool, arguments: args, paths }: NamedCall["action"]): JsonObject {
  return { tool, arguments: args, changes: paths.flatMap(({ access, real }) => (access === "write" ? [real] : [])) };
}
