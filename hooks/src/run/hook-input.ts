import { isAbsolute, resolve } from "node:path";
import type { HookRequest } from "@capstan/ports";
import { isJsonObject, type JsonObject, type JsonValue, type PermissionMode } from "@capstan/protocol";
import { claudeName, inClaudeFields } from "@capstan/wording";
import { maxFilesOfPatch } from "../limits.ts";

const modes: Readonly<Record<PermissionMode, string>> = {
  plan: "plan",
  default: "default",
  "accept-edits": "acceptEdits",
  auto: "auto",
};

/**
 * What a hook reads: the fields that scripts for Claude's agent know, in its names, and ours beside them. A patch of several files is asked
 * about file by file, so that no guard of a path is passed by.
 */
export function inputsOf(request: HookRequest): readonly JsonObject[] {
  const { event, sessionId, workspace, mode, facts } = request;
  const common = {
    session_id: sessionId,
    transcript_path: "",
    cwd: workspace.cwd,
    permission_mode: modes[mode],
    hook_event_name: event,
    ...momentFields(request),
  };
  const { tool, arguments: args } = facts;
  if (typeof tool !== "string" || !isJsonObject(args)) return [common];
  const own = { capstan: { tool, arguments: args } };
  const called = { ...common, tool_name: claudeName(tool), tool_use_id: facts["callId"] ?? "", ...own };
  return toolInputs(tool, args, request).map((input) => ({
    ...called,
    tool_input: input,
    ...resultFields(request, input),
  }));
}

function momentFields({ event, facts }: HookRequest): JsonObject {
  const { prompt = "", lastAnswer = "", name = "", message = "", agent } = facts;
  const ofAgent = agent === undefined ? {} : { agent_type: agent };
  switch (event) {
    case "UserPromptSubmit":
    case "BeforeRun":
    case "BeforeContextPack":
    case "AfterContextPack":
    case "BeforeModelCall":
      return { ...ofAgent, prompt };
    case "SessionStart":
      return { source: name };
    case "SubagentStart":
      return { ...ofAgent, prompt };
    case "Stop":
    case "SubagentStop":
      return { ...ofAgent, stop_hook_active: Number(facts["pushes"]) > 0, last_assistant_message: lastAnswer };
    case "Notification":
      return { ...ofAgent, notification_type: name, message };
    case "PreCompact":
      return { trigger: name, custom_instructions: "" };
    case "PostCompact":
      return { summary: facts["summary"] ?? "" };
    case "SessionEnd":
      return { reason: "other" };
    case "OnError":
    case "OnAgentError":
    case "AfterRun":
      return { ...ofAgent, outcome: facts["outcome"] ?? "", message };
    default:
      return ofAgent;
  }
}

/** Paths are absolute there. */
function toolInputs(tool: string, args: JsonObject, { facts, workspace }: HookRequest): readonly JsonObject[] {
  const input = inClaudeFields(tool, args);
  const { cwd } = workspace;
  const changes = Array.isArray(facts["changes"]) ? facts["changes"].filter((path) => typeof path === "string") : [];
  if (tool === "apply_patch" && changes.length > 0)
    return changes.slice(0, maxFilesOfPatch).map((path) => ({ ...input, file_path: path }));
  const paths = ["file_path", "path", "notebook_path"].flatMap((name): readonly (readonly [string, JsonValue])[] => {
    const path = input[name];
    return typeof path === "string" && !isAbsolute(path) ? [[name, resolve(cwd, path)]] : [];
  });
  return [{ ...input, ...Object.fromEntries(paths) }];
}

function resultFields({ event, facts }: HookRequest, input: JsonObject): JsonObject {
  const { result } = facts;
  if (typeof result !== "string") return {};
  if (event === "PostToolUseFailure") return { error: result };
  if (typeof input["file_path"] === "string")
    return { tool_response: { filePath: input["file_path"], success: true, content: result } };
  if (facts["tool"] === "run_command") return { tool_response: { stdout: result, stderr: "", interrupted: false } };
  return { tool_response: { content: result } };
}
