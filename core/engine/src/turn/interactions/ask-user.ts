import { type Decision, decision, nothing, together } from "../../model/decision.ts";
import type { Operation, PendingCall, SessionState } from "@capstan/session";
import type { Stimulus } from "../../model/stimulus.ts";
import { judgeReach } from "../tool-loop/judge-call.ts";
import { openInteraction } from "./open-interaction.ts";
import { type Ending, resolve, withdraw } from "./resolve-interaction.ts";

type ToolLoop = Extract<Operation, { type: "tool-loop" }>;
type Asks = Extract<Stimulus, { type: "tool-asks" }>;

/** A call under way asks its user something. Where nobody can be asked it learns so at once; whoever does not run has asked nothing. */
export function askUser(state: SessionState, { turn, batch }: ToolLoop, { callId, asker, questions, host }: Asks): Decision {
  const asking = batch.calls.find(({ call }) => call.callId === callId);
  if (asking?.type !== "running" || asking.interrupted || asking.question !== null) return nothing;
  if (state.config?.askPolicy !== "ask")
    return decision([], [{ type: "answer-tool", callId, answer: { type: "void" } }]);
  const verdict = host === undefined ? "ask" : judgeReach(state, turn, asking.action, host);
  if (verdict === "deny") return decision([], [{ type: "answer-tool", callId, answer: { type: "deny" } }]);
  if (verdict === "allow") {
    const answers = questions.map(({ options }) => options.slice(0, 1).map(({ label }) => label));
    return decision([], [{ type: "answer-tool", callId, answer: { type: "reply", answers } }]);
  }
  const request = { type: "question", callId, questions, asker } as const;
  return decision([openInteraction(state, turn, { request, number: turn.interactions + 1 })]);
}

/** The call that waits for it is handed the answer. */
export function answerRunning(ending: Ending): Decision {
  const { request } = ending.interaction;
  if (request.type !== "question") return nothing;
  const { callId } = request;
  return together([resolve(ending), decision([], [{ type: "answer-tool", callId, answer: ending.answer }])]);
}

/** A call that has ended, or whose process died, waits for no answer. */
export function withdrawQuestions(calls: readonly PendingCall[]): Decision {
  return together(
    calls.map((call) => (call.type === "running" && call.question !== null ? withdraw(call.question) : nothing)),
  );
}
