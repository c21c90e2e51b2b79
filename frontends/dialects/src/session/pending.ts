import type { Interaction, JournalRecord, SessionSnapshot, TurnId } from "@capstan/protocol";

/** What waits for a user in a session, with the turn that it belongs to. */
export class Pending {
  #waiting: readonly { readonly interaction: Interaction; readonly turnId: TurnId | null }[];

  constructor({ pending, activity }: SessionSnapshot) {
    const turnId = "turnId" in activity ? activity.turnId : null;
    this.#waiting = pending.map((interaction) => ({ interaction, turnId }));
  }

  take(record: JournalRecord): void {
    if (record.type === "interaction-opened")
      this.#waiting = [...this.#waiting, { interaction: record.interaction, turnId: record.turnId }];
    if (record.type === "interaction-resolved")
      this.#waiting = this.#waiting.filter(({ interaction }) => interaction.id !== record.interactionId);
  }

  /** @param turns  only of these; absent: of all */
  of(turns?: ReadonlySet<TurnId>): readonly Interaction[] {
    return this.#waiting.flatMap(({ interaction, turnId }) =>
      turns === undefined || (turnId !== null && turns.has(turnId)) ? [interaction] : [],
    );
  }
}
