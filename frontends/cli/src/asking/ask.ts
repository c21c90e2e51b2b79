import type { Interaction } from "@capstan/protocol";
import { type ApprovalAsking, askApprovals, type AskedApproval, type GivenAnswer } from "./ask-approvals.ts";
import { askInline, type AskedInWords } from "./ask-inline.ts";

export type { GivenAnswer } from "./ask-approvals.ts";

/** What is asked about next: the calls that wait to be approved, all of them, or the first of anything else. */
export function askedTogether(pending: readonly Interaction[]): readonly Interaction[] {
  const approvals = pending.filter(isApproval);
  return approvals.length > 0 ? approvals : pending.slice(0, 1);
}

/**
 * Asks at a terminal, each kind of question in its way.
 * @param asked  as `askedTogether` gives it
 * @returns `null`: nobody answers now
 */
export async function ask(
  asked: readonly Interaction[],
  asking: ApprovalAsking,
): Promise<readonly GivenAnswer[] | null> {
  const approvals = asked.filter(isApproval);
  if (approvals.length > 0) return await askApprovals(approvals, asking);
  const interaction = asked.find(isInWords);
  if (interaction === undefined) return [];
  const answer = await askInline(interaction, asking.terminal, asking.signal);
  return answer === null ? null : [{ interaction, answer }];
}

function isApproval(interaction: Interaction): interaction is AskedApproval {
  return interaction.request.type === "approval";
}

function isInWords(interaction: Interaction): interaction is AskedInWords {
  return interaction.request.type !== "approval";
}
