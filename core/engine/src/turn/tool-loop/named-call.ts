import type { NamedCall } from "@capstan/hook-points";
import type { Action, ToolCallBlock } from "@capstan/protocol";
import { claudeName } from "@capstan/wording";

/** A call with the names by which hooks may mean its tool: ours, that of Claude's agent, and what the model said. */
export function named({ callId, name }: ToolCallBlock, action: Action): NamedCall {
  const changes = action.effect === "write" ? ["Edit", "Write", "MultiEdit"] : [];
  const both = action.tool === "apply_patch" ? changes : [];
  return { callId, action, names: [action.tool, claudeName(action.tool), name, ...both] };
}
