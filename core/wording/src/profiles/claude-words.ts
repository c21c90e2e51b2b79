import type { JsonObject } from "@capstan/protocol";
import { anthropicProfile } from "./anthropic-profile.ts";
import { inOurFields, inTheirFields } from "./tool-profile.ts";

/** Tools that have no other form than their name. */
const names: Readonly<Record<string, string>> = {
  apply_patch: "Edit",
  ask_user: "AskUserQuestion",
  exit_plan_mode: "ExitPlanMode",
  spawn_agent: "Task",
  update_plan: "TodoWrite",
  web_fetch: "WebFetch",
};

/** What Claude's agent calls a tool of ours. */
export function claudeName(tool: string): string {
  return formOf(tool)?.name ?? (Object.hasOwn(names, tool) ? names[tool] : undefined) ?? tool;
}

/** The arguments of a call as scripts for Claude's agent know them. */
export function inClaudeFields(tool: string, args: JsonObject): JsonObject {
  const form = formOf(tool);
  return form === undefined ? args : inTheirFields(form, args);
}

/** Such arguments, in our fields. */
export function fromClaudeFields(tool: string, args: JsonObject): JsonObject {
  const form = formOf(tool);
  return form === undefined ? args : inOurFields(form, args);
}

function formOf(tool: string): (typeof anthropicProfile.forms)[string] | undefined {
  return Object.hasOwn(anthropicProfile.forms, tool) ? anthropicProfile.forms[tool] : undefined;
}
