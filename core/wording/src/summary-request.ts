import type { Message, ModelRequest, ModelSettings, SessionConfig } from "@capstan/protocol";
import { charactersPerToken, maxSummaryTokens, minSummaryTokens, summaryShare } from "./limits.ts";
import { mergedMessages, type Shown } from "./merged-messages.ts";
import { offeredTools } from "./offered-tools.ts";
import { systemText } from "./plan-mode.ts";
import { inProfile } from "./profiles/in-profile.ts";

/** Asks a model for a summary of these messages. The tools are named so that earlier calls stay valid, but no call is wanted. */
export function summaryRequest(
  config: SessionConfig,
  model: ModelSettings,
  shown: Shown,
  older: readonly Message[],
): ModelRequest {
  const isDistilled = config.compactor === "distill";
  const ask = { role: "user", content: [{ type: "text", text: isDistilled ? distillation : instruction }] } as const;
  const originalTokens = Math.ceil(JSON.stringify(older).length / charactersPerToken);
  const wantedTokens = Math.round(originalTokens * summaryShare);
  const request: ModelRequest = {
    system: systemText(config),
    messages: mergedMessages(shown, older, [ask]),
    tools: offeredTools(config),
    maxOutputTokens: isDistilled
      ? maxSummaryTokens
      : Math.min(maxSummaryTokens, Math.max(minSummaryTokens, wantedTokens)),
  };
  return inProfile(request, model);
}

const instruction =
  "Summarise the conversation so far for your own later use. Keep what was asked, what was decided and why, what was changed (files, commands), " +
  "what failed, and what is still open. Write plain sentences or short lists. Do not call tools.";

/** One document for whoever takes the work over. It has the sections that every hand-over needs, so that none is forgotten. */
const distillation =
  "Write the document with which somebody else, who has read nothing of this conversation, can carry on with the work. Its sections, in this order: " +
  "Goal; Requirements and limits; Decisions, with their reasons; What was done, file by file; What was tried and failed; State of the work now; " +
  "Open questions; Next steps. Name files, functions, commands and values exactly. At most 1200 words. Do not call tools.";
