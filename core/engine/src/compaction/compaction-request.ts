import type { ModelRequest, SessionConfig, StepId } from "@capstan/protocol";
import { charactersPerToken, maxSummaryTokens, minSummaryTokens, summaryShare } from "../limits.ts";
import type { Effect } from "../operation/effect.ts";
import type { SessionState } from "../operation/state.ts";
import { mergedMessages } from "../projection/conversation.ts";
import { offeredTools, systemText } from "../projection/offered-tools.ts";

/** The effect that asks the session's model for a summary. */
export function askForSummary(
  state: SessionState,
  {
    stepId,
    messageCount,
    attempt,
  }: { readonly stepId: StepId; readonly messageCount: number; readonly attempt: number },
): readonly Effect[] {
  const { config } = state;
  if (config === null) return [];
  const request = compactionRequest(state, config, messageCount);
  return [{ type: "call-model", stepId, attempt, model: config.model, request }];
}

/** Asks the model for a summary of the first messages. The tools are named so that earlier calls stay valid, but no call is wanted. */
function compactionRequest(state: SessionState, config: SessionConfig, messageCount: number): ModelRequest {
  const older = state.conversation.slice(0, messageCount);
  const ask = { role: "user", content: [{ type: "text", text: instruction }] } as const;
  const originalTokens = Math.ceil(JSON.stringify(older).length / charactersPerToken);
  const wantedTokens = Math.round(originalTokens * summaryShare);
  return {
    system: systemText(config),
    messages: mergedMessages(state.summary, older, [ask]),
    tools: offeredTools(config),
    maxOutputTokens: Math.min(maxSummaryTokens, Math.max(minSummaryTokens, wantedTokens)),
  };
}

const instruction =
  "Summarise the conversation so far for your own later use. Keep what was asked, what was decided and why, what was changed (files, commands), " +
  "what failed, and what is still open. Write plain sentences or short lists. Do not call tools.";
