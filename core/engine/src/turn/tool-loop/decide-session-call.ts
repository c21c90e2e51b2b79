import {
  type InteractionRequest,
  type Judgement,
  type SessionCall,
  type ToolCallId,
  type ToolOutcome,
  unreachable,
} from "@capstan/protocol";
import { noPlanMode, outcomes, searchOutcome, tasksTaken } from "@capstan/wording";
import { configNow, type SessionState } from "@capstan/session";

type Next =
  | { readonly type: "answer"; readonly outcome: ToolOutcome }
  | { readonly type: "ask"; readonly request: InteractionRequest; readonly judgement: Judgement };

/** The end of a call that was decided on without a question, and whose answer a cut journal lost. */
export function answerAgain(state: SessionState, callId: ToolCallId, call: SessionCall): ToolOutcome {
  const next = decideSessionCall(state, callId, call);
  return next.type === "answer" ? next.outcome : outcomes.notRun;
}

/** What follows from a call that concerns the session itself: an answer at once, or a question to a user. */
export function decideSessionCall(state: SessionState, callId: ToolCallId, call: SessionCall): Next {
  switch (call.type) {
    case "update-plan":
      return { type: "answer", outcome: tasksTaken(call.tasks) };
    case "find-tools":
      return {
        type: "answer",
        outcome: state.config === null ? outcomes.notRun : searchOutcome(state.config, state.foundTools, call),
      };
    case "ask-user":
      return {
        type: "ask",
        request: { type: "question", callId, questions: call.questions },
        judgement: { verdict: "ask", reason: "The model asks a question." },
      };
    case "exit-plan-mode":
      if (configNow(state)?.mode !== "plan") return { type: "answer", outcome: noPlanMode };
      return {
        type: "ask",
        request: { type: "plan-review", callId, plan: call.plan },
        judgement: { verdict: "ask", reason: "A plan is ready for review." },
      };
    default:
      return unreachable(call);
  }
}
