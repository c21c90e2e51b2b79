import type { Proposal } from "@capstan/protocol";
import type { SessionState } from "./state.ts";

/** What is proposed now: what a turn proposed that was taken back comes back with it. */
export function openProposals({ proposals, turns }: SessionState): readonly Proposal[] {
  return proposals.open.filter(({ turnId }) =>
    turns.some((mark) => mark.turnId === turnId || mark.joined?.includes(turnId) === true),
  );
}
