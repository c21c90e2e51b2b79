import type { JournalRecord } from "@capstan/protocol";
import { modeParts } from "@capstan/wording";
import { configNow, type Operation, type SessionState } from "@capstan/session";
import { packContext } from "../turn/ask-hooks.ts";
import { startStep } from "../turn/start-step.ts";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import type { Stimulus } from "../model/stimulus.ts";

type Preparing = Extract<Operation, { type: "preparing" }>;

/** The facts for the model are being collected. */
export function fromPreparing(state: SessionState, { turn }: Preparing, stimulus: Stimulus): Decision {
  if (stimulus.type === "process-restarted") {
    const found = "a turn whose model had not been asked yet";
    return andThen(state, decision([{ type: "session-recovered", found }]), packContext);
  }
  if (stimulus.type !== "context-packed" || stimulus.turnId !== turn.turnId) return nothing;
  const parts = [...stimulus.parts, ...modeParts(configNow(state), state.knownFacts)].filter(
    (part) => state.knownFacts[part.name] !== part.text,
  );
  const { kept = [] } = stimulus;
  const records: readonly JournalRecord[] = [
    ...(kept.length === 0 ? [] : [{ type: "results-kept", files: kept } as const]),
    ...(parts.length === 0 ? [] : [{ type: "context-packed", turnId: turn.turnId, parts } as const]),
  ];
  return andThen(state, decision(records), startStep);
}
