import type { SessionState } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { Finding } from "@capstan/protocol";
import { inDoubt, probed, restores } from "../builders/stimuli.ts";

/** What a look at the calls in doubt shows. */
export function probe(state: SessionState, findings: readonly Finding["type"][]): Stimulus {
  const { operation } = state;
  const calls = "batch" in operation ? operation.batch.calls : [];
  const interrupted = calls.flatMap((pending) =>
    pending.type === "running" && pending.interrupted ? [pending.call.callId] : [],
  );
  const found = interrupted.map((id, at) => [id, findingOf(findings[at] ?? "in-doubt")] as const);
  return probed("batch" in operation ? operation.batch.stepId : "nobody.s1", Object.fromEntries(found));
}

function findingOf(type: Finding["type"]): Finding {
  switch (type) {
    case "ended":
      return { type, outcome: { type: "done", content: "It had ended." }, changes: [], observed: [] };
    case "untouched":
      return { type, text: "Nothing of it had happened." };
    case "in-doubt":
      return inDoubt;
  }
}

/** Files were restored, for a rewind or for a user who chose to undo. */
export function restore({ operation }: SessionState, conflict: boolean): Stimulus {
  if (operation.type === "rewinding") {
    const { rewindId, files } = operation;
    const conflicts = files.map(({ path }) => ({ path, reason: "somebody else changed it" }));
    return conflict ? restores(rewindId, [], conflicts) : restores(rewindId, files);
  }
  if (operation.type === "applying") {
    const { applyId, files } = operation;
    const conflicts = files.map(({ path }) => ({ path, reason: "somebody else changed it" }));
    return conflict ? restores(applyId, [], conflicts) : restores(applyId, files);
  }
  const turn = "turn" in operation ? operation.turn : { turnId: "nobody", interactions: 1 };
  return restores(`${turn.interactions}-${turn.turnId}`, []);
}
