import type {
  Interaction,
  InteractionAnswer,
  InteractionId,
  JournalRecord,
  Origin,
  SessionEvent,
} from "@capstan/protocol";

/** An answer from elsewhere, under one id however often it is sent. */
export interface SentAnswer {
  readonly answerId: string;
  readonly interactionId: InteractionId;
  readonly answer: InteractionAnswer;
  readonly origin: Origin;
}

type Resolved = Extract<JournalRecord, { type: "interaction-resolved" }>;

/**
 * Invariant 9 on the journal's events: what settled a question was a valid answer to it, in time, by somebody who may, bound to
 * what was asked, and, where it came from elsewhere, exactly what was sent. Worked out without the engine.
 */
export function checkAnswers(
  events: readonly SessionEvent[],
  sent: ReadonlyMap<string, SentAnswer> = new Map(),
): readonly string[] {
  const asked = new Map<string, Interaction>();
  return events.flatMap(({ seq, at, record }) => {
    if (record.type === "interaction-opened") asked.set(record.interaction.id, record.interaction);
    if (record.type !== "interaction-resolved") return [];
    const interaction = asked.get(record.interactionId);
    const problems =
      interaction === undefined ? ["was never asked"] : [...invalid(interaction, record, at), ...forged(record, sent)];
    return problems.map((problem) => `record ${seq}: the answer to ${record.interactionId} ${problem}`);
  });
}

function invalid(interaction: Interaction, { answer, origin }: Resolved, at: number): readonly string[] {
  const { request, digest, expiresAt, answerers } = interaction;
  if (answer.type === "void") return origin.frontend === "engine" ? [] : ["is void, and not by the engine"];
  if (answer.type === "expired") return expiresAt !== null && at >= expiresAt ? [] : ["expired before its time"];
  const problems: string[] = [];
  if (!fitting[request.type].includes(answer.type)) problems.push(`is a ${answer.type}`);
  if (expiresAt !== null && at >= expiresAt) problems.push("came too late");
  if ("digest" in answer && answer.digest !== digest) problems.push("is bound to something else");
  if (answerers.length > 0 && !answerers.includes(origin.user ?? "")) problems.push("is by somebody who may not");
  return problems;
}

const fitting: Readonly<Record<Interaction["request"]["type"], readonly InteractionAnswer["type"][]>> = {
  approval: ["approve", "edit", "deny"],
  question: ["reply", "deny"],
  "plan-review": ["plan"],
  budget: ["continue", "stop"],
  recovery: ["accept-as-done", "run-again", "undo", "tell-model", "discard"],
};

function forged({ answerId, answer, origin }: Resolved, sent: ReadonlyMap<string, SentAnswer>): readonly string[] {
  if (answerId === undefined) return [];
  const given = sent.get(answerId);
  if (given === undefined) return ["was never given"];
  return JSON.stringify([given.answer, given.origin]) === JSON.stringify([answer, origin])
    ? []
    : ["is not as it was given"];
}
