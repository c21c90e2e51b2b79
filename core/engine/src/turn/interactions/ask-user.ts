import { type Decision, decision, nothing, together } from "../../model/decision.ts";
import type { Batch, OpenTurn, PendingCall, SessionState } from "../../model/state.ts";
import type { Stimulus } from "../../model/stimulus.ts";
import { openInteraction } from "./open-interaction.ts";
import { type Ending, resolve, withdraw } from "./resolve-interaction.ts";

type Asks = Extract<Stimulus, { type: "tool-asks" }>;
type Running = Extract<PendingCall, { type: "running" }>;

/** A call under way asks its user something. Where nobody can be asked it learns so at once; whoever does not run has asked nothing. */
export function askUser(
  state: SessionState,
  turn: OpenTurn,
  batch: Batch,
  { callId, asker, questions }: Asks,
): Decision {
  const running = batch.calls.find((pending): pending is Running => pending.call.callId === callId && isAlive(pending));
  if (running === undefined || running.question !== null) return nothing;
  if (state.config?.askPolicy !== "ask")
    return decision([], [{ type: "answer-tool", callId, answer: { type: "void" } }]);
  const request = { type: "question", callId, questions, asker } as const;
  return decision([openInteraction(state, turn, { request, number: turn.interactions + 1 })]);
}

/** The call that waits for it is handed the answer. */
export function answerRunning(state: SessionState, ending: Ending): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  const asking = operation.batch.calls.find(
    (call) => call.type === "running" && call.question?.id === ending.interaction.id,
  );
  if (asking === undefined) return nothing;
  const { callId } = asking.call;
  return together([resolve(ending), decision([], [{ type: "answer-tool", callId, answer: ending.answer }])]);
}

/** A call that has ended, or whose process died, waits for no answer. */
export function withdrawQuestions(calls: readonly PendingCall[]): Decision {
  return together(
    calls.map((call) => (call.type === "running" && call.question !== null ? withdraw(call.question) : nothing)),
  );
}

function isAlive(pending: PendingCall): boolean {
  return pending.type === "running" && !pending.interrupted;
}
