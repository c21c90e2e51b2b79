import { type ModelRequest, type SessionConfig, type StepId, type Submission, toStepId } from "@capstan/protocol";
import { inProfile, mergedMessages, offeredTools, systemText } from "@capstan/wording";
import {
  charactersPerToken,
  maxSummaryTokens,
  messagesKeptByCompaction,
  minSummaryTokens,
  summaryShare,
} from "../limits.ts";
import { type Decision, decision } from "../model/decision.ts";
import type { Effect } from "../model/effect.ts";
import type { SessionState } from "../model/state.ts";

type Compact = Extract<Submission, { readonly type: "compact" }>;

/** Summarises the older messages, or says why there is nothing to summarise. */
export function startCompaction(state: SessionState, { submissionId }: Compact): Decision {
  const asked = submissionId === undefined ? {} : { submissionId };
  const messageCount = compactableCount(state);
  if (messageCount === 0) {
    const text = "There is nothing to summarise yet.";
    return decision([{ type: "notice", level: "info", code: "compaction.nothing", text, ...asked }]);
  }
  const stepId = toStepId(`${state.sessionId ?? "session"}.c${state.compactions + 1}`);
  return decision(
    [{ type: "compaction-started", stepId, messageCount, attempt: 1, ...asked }],
    askForSummary(state, { stepId, messageCount, attempt: 1 }),
  );
}

/** How many messages a summary may stand for: it ends where a user speaks, so that no call is parted from its result. */
function compactableCount({ conversation, summary }: SessionState): number {
  const already = summary?.messageCount ?? 0;
  for (let count = conversation.length - messagesKeptByCompaction; count > already; count -= 1) {
    const next = conversation[count];
    if (next?.role === "user" && next.content.every((block) => block.type !== "tool-result")) return count;
  }
  return 0;
}

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
  const request: ModelRequest = {
    system: systemText(config),
    messages: mergedMessages(state.summary, older, [ask]),
    tools: offeredTools(config),
    maxOutputTokens: Math.min(maxSummaryTokens, Math.max(minSummaryTokens, wantedTokens)),
  };
  return inProfile(request, config.model);
}

const instruction =
  "Summarise the conversation so far for your own later use. Keep what was asked, what was decided and why, what was changed (files, commands), " +
  "what failed, and what is still open. Write plain sentences or short lists. Do not call tools.";
