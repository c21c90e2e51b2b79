import { isJsonObject, type Interaction } from "@capstan/protocol";
import { approvalCard, decisionLine, interactionLines, interactionSummary } from "@capstan/view";
import { titleCharacters } from "../limits.ts";
import { locationsOf } from "../updates/call-fields.ts";
import { diffContent } from "../updates/diff-content.ts";
import { questionId } from "../updates/said.ts";
import { shownInput } from "../updates/shown-input.ts";
import { toolKind } from "../updates/tool-kind.ts";
import { textContent, type ToolCallChange, type ToolCallContent } from "../updates/update-types.ts";
import type { Choice } from "./choices.ts";

/** Where a question is asked. */
export interface AskedIn {
  readonly sessionId: string;
  readonly cwd: string;
  /** The name under which the client knows the call of this id. */
  readonly callName: (callId: string) => string;
}

/** `session/request_permission`: what waits, with everything that a user needs to decide on it. */
export function permissionRequest(interaction: Interaction, choices: readonly Choice[], place: AskedIn): object {
  return {
    sessionId: place.sessionId,
    toolCall: toolCallOf(interaction, place),
    options: choices.map(({ optionId, name, kind }) => ({ optionId, name: oneLine(name), kind })),
  };
}

/** What the user chose; `undefined`: nothing, or the request was cancelled. */
export function chosenOption(result: unknown): string | undefined {
  const outcome = isJsonObject(result) ? result["outcome"] : undefined;
  if (!isJsonObject(outcome) || outcome["outcome"] !== "selected") return undefined;
  return typeof outcome["optionId"] === "string" ? outcome["optionId"] : "";
}

/** The call that an interaction is about; one that is about none has a place of its own. */
export function callOf({ id, request }: Interaction, place: AskedIn): string {
  return "callId" in request ? place.callName(request.callId) : questionId(id);
}

function toolCallOf(interaction: Interaction, place: AskedIn): ToolCallChange {
  const { request } = interaction;
  const toolCallId = callOf(interaction, place);
  const lines = interactionLines(interaction, Date.now()).map(({ text }) => text);
  const said = textContent(fenced(lines.join("\n")));
  if (request.type !== "approval")
    return { toolCallId, title: oneLine(interactionSummary(interaction)), status: "pending", content: [said] };
  const { action, changes = [] } = request;
  const diffs: readonly ToolCallContent[] = changes.length === 0 ? [] : diffContent(changes, place.cwd);
  return {
    toolCallId,
    title: oneLine(approvalCard(request).title),
    kind: toolKind(action.tool, action.effect, action),
    status: "pending",
    content: [said, ...diffs],
    locations: locationsOf(action),
    rawInput: shownInput(action.arguments),
  };
}

/** A user decides on it: every character shows, or is named by its number. */
function oneLine(text: string): string {
  return decisionLine(text, { limitCharacters: titleCharacters * 5 });
}

/** As it is, whatever an editor makes of Markdown. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
