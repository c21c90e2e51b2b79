import { joinEffects } from "@capstan/policy";
import type { FileEffect } from "@capstan/protocol";
import { openProposals } from "../model/open-proposals.ts";
import { openTurnOf } from "../model/open-turn-of.ts";
import type { SessionState } from "../model/state.ts";

/** What the calls of the open turn have proposed, one change for each file: what comes next stands on it. */
export function proposedInTurn(state: SessionState): readonly FileEffect[] {
  const turnId = openTurnOf(state)?.turnId;
  const proposed = openProposals(state).filter((proposal) => proposal.turnId === turnId);
  return joinEffects(proposed.flatMap(({ files }) => files)).files;
}
