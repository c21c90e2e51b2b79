import { type Interaction, type JournalRecord, unreachable } from "@capstan/protocol";
import type { Moment } from "./hook-memory.ts";

/** What hooks are informed when a record says that something has happened. */
export function momentsOfRecord(record: JournalRecord, isAgents: boolean): readonly Moment[] {
  switch (record.type) {
    case "step-completed":
      return [{ event: "AfterModelCall", key: "AfterModelCall", facts: { reason: record.reason } }];
    case "tool-started":
      return [{ event: "OnToolCall", key: "OnToolCall", callId: record.callId }];
    case "interaction-opened": {
      const { kind, message } = noticeOf(record.interaction);
      return [{ event: "Notification", key: "Notification", names: [kind], facts: { name: kind, message } }];
    }
    case "compaction-completed":
      return [{ event: "PostCompact", key: "PostCompact", facts: { summary: record.summary } }];
    case "turn-ended": {
      const { outcome, message = "" } = record;
      const facts = { outcome, message };
      const isBad = outcome === "error" || outcome === "provider-failed";
      const failed: Moment = { event: isAgents ? "OnAgentError" : "OnError", key: "OnError", facts };
      return [...(isBad ? [failed] : []), { event: "AfterRun", key: "AfterRun", facts }];
    }
    default:
      return [];
  }
}

function noticeOf({ request }: Interaction): { readonly kind: string; readonly message: string } {
  switch (request.type) {
    case "approval":
      return { kind: "permission_prompt", message: `Permission is needed: ${request.action.summary}` };
    case "plan-review":
      return { kind: "permission_prompt", message: "A plan waits for review." };
    case "question":
      return { kind: "elicitation_dialog", message: request.questions.map(({ question }) => question).join(" ") };
    case "budget":
      return { kind: "permission_prompt", message: `The turn's limit of ${request.limit} was reached.` };
    case "recovery":
      return { kind: "permission_prompt", message: "It is not known whether interrupted calls took effect." };
    default:
      return unreachable(request);
  }
}
