import type { Action, EffectClass } from "@capstan/protocol";
import type { ToolKind } from "./update-types.ts";

/** What kind of work a call is, for an editor's icon. What is not known by name is known by its effect. */
export function toolKind(tool: string, effect: EffectClass | undefined, action: Action | undefined): ToolKind {
  if (action !== undefined && isRemoval(action)) return "delete";
  return kindsByTool.get(tool) ?? kindOfEffect(effect);
}

const kindsByTool: ReadonlyMap<string, ToolKind> = new Map([
  ["read_file", "read"],
  ["read_many_files", "read"],
  ["list_directory", "read"],
  ["command_output", "read"],
  ["skill", "read"],
  ["glob", "search"],
  ["search", "search"],
  ["recall", "search"],
  ["web_search", "search"],
  ["web_fetch", "fetch"],
  ["write_file", "edit"],
  ["edit_file", "edit"],
  ["apply_patch", "edit"],
  ["run_command", "execute"],
  ["stop_command", "execute"],
  ["update_plan", "think"],
  ["spawn_agent", "think"],
  ["exit_plan_mode", "switch_mode"],
]);

function isRemoval({ paths }: Action): boolean {
  const changes = paths.filter(({ access }) => access !== "read");
  return changes.length > 0 && changes.every(({ access }) => access === "delete");
}

function kindOfEffect(effect: EffectClass | undefined): ToolKind {
  switch (effect) {
    case "read":
      return "read";
    case "write":
      return "edit";
    case "execute":
      return "execute";
    case "delegate":
      return "think";
    case "session":
    case undefined:
      return "other";
  }
}
