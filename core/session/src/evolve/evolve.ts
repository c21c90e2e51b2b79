import { evolveHook, withoutStaleWords } from "./evolve-hook.ts";
import type { JournalRecord } from "@capstan/protocol";
import { canonicalJson, unreachable } from "@capstan/protocol";
import { maxSubmissionIds } from "../limits.ts";
import type { SessionState } from "../model/state.ts";
import { evolveCompaction } from "./evolve-compaction.ts";
import { evolveInteraction } from "./evolve-interaction.ts";
import { evolveProposal } from "./evolve-proposal.ts";
import { evolveRewind } from "./evolve-rewind.ts";
import { evolveSession } from "./evolve-session.ts";
import { evolveStep } from "./evolve-step.ts";
import { evolveTool } from "./evolve-tool.ts";
import { evolveTurn } from "./evolve-turn.ts";

/** Applies a record: the only place where state changes. Total: a record that does not fit leaves the state as it is. */
export function evolve(state: SessionState, record: JournalRecord): SessionState {
  const next = withoutStaleWords(withFittingSummary(withSubmission(apply(state, record), record)), record);
  return next.measured === null || stillTrue(state, next) ? next : { ...next, measured: null };
}

/** A summary beside the turn is of messages that are still there, and that no other stands for meanwhile. */
function withFittingSummary(state: SessionState): SessionState {
  const { background, conversation, summary, triedMessages } = state;
  const isGone =
    background !== null &&
    (conversation.length < background.messageCount || (summary?.messageCount ?? 0) >= background.messageCount);
  if (!isGone && triedMessages <= conversation.length) return state;
  return {
    ...state,
    background: isGone ? null : background,
    triedMessages: Math.min(triedMessages, conversation.length),
  };
}

/** What was counted holds as long as what was sent stands where it stood. */
function stillTrue(before: SessionState, after: SessionState): boolean {
  const { measured, conversation, config } = after;
  if (measured === null || conversation.length < measured.messages) return false;
  if (before.summary !== after.summary || before.shortened !== after.shortened) return false;
  if (config === before.config) return true;
  return (
    config?.systemPrompt === before.config?.systemPrompt &&
    config?.model.contextWindowTokens === before.config?.model.contextWindowTokens &&
    canonicalJson(config?.tools) === canonicalJson(before.config?.tools)
  );
}

/** A submission that left a record has counted, whatever became of it. */
function withSubmission(state: SessionState, record: JournalRecord): SessionState {
  if (!("submissionId" in record) || record.submissionId === undefined) return state;
  const earlier = state.submissionIds.filter((id) => id !== record.submissionId);
  return { ...state, submissionIds: [...earlier, record.submissionId].slice(-maxSubmissionIds) };
}

function apply(state: SessionState, record: JournalRecord): SessionState {
  switch (record.type) {
    case "session-started":
    case "session-configured":
    case "session-titled":
    case "session-recovered":
      return evolveSession(state, record);
    case "turn-queued":
    case "queue-changed":
    case "turn-steered":
    case "turn-started":
    case "context-packed":
    case "turn-ended":
      return evolveTurn(state, record);
    case "step-started":
    case "text-delta":
    case "thinking-delta":
    case "tool-arguments-delta":
    case "step-retrying":
    case "step-completed":
    case "step-abandoned":
      return evolveStep(state, record);
    case "tool-decided":
    case "tool-started":
    case "tool-output-delta":
    case "tool-finished":
    case "tool-deferred":
    case "tool-probed":
    case "tool-restarted":
    case "tool-effects":
      return evolveTool(state, record);
    case "interaction-opened":
    case "interaction-resolved":
    case "grant-added":
    case "grant-revoked":
    case "call-edited":
      return evolveInteraction(state, record);
    case "compaction-started":
    case "compaction-completed":
    case "compaction-failed":
    case "compaction-selected":
    case "compaction-edited":
    case "results-shortened":
    case "results-kept":
    case "summary-started":
    case "summary-made":
    case "summary-dropped":
      return evolveCompaction(state, record);
    case "rewind-started":
    case "rewind-finished":
      return evolveRewind(state, record);
    case "proposals-applying":
    case "proposals-applied":
    case "proposals-refused":
      return evolveProposal(state, record);
    case "hook-started":
    case "hook-finished":
      return evolveHook(state, record);
    case "notice":
      return evolveNotice(state, record.code);
    default:
      return unreachable(record);
  }
}

/** Notices are for people; only the count of odd stream events matters, so that they stay few. */
function evolveNotice(state: SessionState, code: string): SessionState {
  const { operation } = state;
  if (operation.type !== "streaming" || code !== "provider.unknown-event") return state;
  return { ...state, operation: { ...operation, step: { ...operation.step, oddities: operation.step.oddities + 1 } } };
}
