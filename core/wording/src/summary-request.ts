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
  const ask = { role: "user", content: [{ type: "text", text: instruction }] } as const;
  const originalTokens = Math.ceil(JSON.stringify(older).length / charactersPerToken);
  const wantedTokens = Math.round(originalTokens * summaryShare);
  const request: ModelRequest = {
    system: systemText(config),
    messages: mergedMessages(shown, older, [ask]),
    tools: offeredTools(config),
    maxOutputTokens: Math.min(maxSummaryTokens, Math.max(minSummaryTokens, wantedTokens)),
  };
  return inProfile(request, model);
}

const instruction =
  "Summarise the conversation so far for your own later use. Keep what was asked, what was decided and why, what was changed (files, commands), " +
  "what failed, and what is still open. Write plain sentences or short lists. Do not call tools.";
