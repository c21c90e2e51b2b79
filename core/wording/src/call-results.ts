import { canonicalJson, type ToolCallBlock, type ToolOutcome, type UserBlock } from "@capstan/protocol";

/**
 * A call's outcome as its model reads it.
 * @param isEdited  a user changed the call's arguments: the model must know that something else was run than it asked for
 */
export function callResult(call: ToolCallBlock, outcome: ToolOutcome, isEdited: boolean): UserBlock {
  const isError = outcome.type !== "done" && outcome.type !== "proposed";
  const content = isError && outcome.content.trim() === "" ? silentFailure : outcome.content;
  const note =
    isEdited && call.arguments.type === "json"
      ? `[The user changed the arguments of this call to ${canonicalJson(call.arguments.value)}]\n`
      : "";
  return { type: "tool-result", callId: call.callId, toolName: call.name, content: `${note}${content}`, isError };
}

/** A user's own command, reported to the model in words. */
export function commandReport(call: ToolCallBlock, { content }: ToolOutcome): UserBlock {
  const args = call.arguments.type === "json" ? call.arguments.value : {};
  const command = canonicalJson(args["command"] ?? args["argv"] ?? null);
  return { type: "text", text: `[The user ran a command: ${command}]\n${content}` };
}

/** Vendors refuse an error without words. */
const silentFailure = "(no output)";
