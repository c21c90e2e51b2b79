import { conversation } from "@capstan/session";
import type { Action, JournalRecord } from "@capstan/protocol";
import type { Prefix } from "./prefix.ts";

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

/** What plan mode promises: nothing is changed in it, and one approved plan begins one turn, which comes next. Returns what is wrong. */
export function checkPlans(places: readonly Prefix[]): readonly string[] {
  const seen = new SeenPlans();
  return places.flatMap((place) => seen.check(place).map((problem) => `record ${place.at}: ${problem}`));
}

class SeenPlans {
  readonly #actions = new Map<string, Action>();
  readonly #reviews = new Map<string, Of<"interaction-opened">>();
  /** Approved, and its turn has not begun. */
  #approved: Of<"interaction-resolved"> | undefined;

  check({ record, before, after }: Prefix): readonly string[] {
    switch (record.type) {
      case "tool-decided":
        this.#actions.set(record.callId, record.action);
        return [];
      case "tool-started":
        return before.config?.mode === "plan" && !onlyReads(this.#actions.get(record.callId))
          ? [`${record.callId} may change something, and began in plan mode`]
          : [];
      case "interaction-opened":
        if (record.interaction.request.type === "plan-review") this.#reviews.set(record.interaction.id, record);
        return [];
      case "interaction-resolved": {
        const isProceed = record.answer.type === "plan" && record.answer.decision.startsWith("proceed");
        if (!isProceed) return [];
        const isTwice = this.#approved !== undefined;
        this.#approved = record;
        return isTwice ? ["a plan is approved while another waits for its turn"] : [];
      }
      case "turn-started":
        return this.#begin(record, conversation(after).length);
      default:
        return [];
    }
  }

  #begin({ plan, follows, content }: Of<"turn-started">, shownMessages: number): readonly string[] {
    const approved = this.#approved;
    this.#approved = undefined;
    if (plan === undefined) return approved === undefined ? [] : ["another turn begins before the approved plan's"];
    const review = this.#reviews.get(plan.interactionId);
    if (approved?.interactionId !== plan.interactionId || review === undefined)
      return ["a turn carries out a plan that was not approved just before"];
    const { interaction, turnId } = review;
    const problems: string[] = [];
    const bound = approved.answer.type === "plan" ? approved.answer.digest : "";
    if (plan.digest !== interaction.digest || plan.digest !== bound) problems.push("the turn is bound to another plan");
    if (follows !== turnId) problems.push("the turn follows another than the one that made its plan");
    const shown = interaction.request.type === "plan-review" ? interaction.request.plan : "";
    if (!JSON.stringify(content).includes(JSON.stringify(shown).slice(1, -1)))
      problems.push("the turn's words are not the plan that was shown");
    if (plan.clean && shownMessages !== 1) problems.push("a clean context shows what was said before");
    return problems;
  }
}

function onlyReads(action: Action | undefined): boolean {
  if (action === undefined || action.effect === "read") return true;
  const confinement = action.command?.confinement;
  return confinement?.type === "sandbox" && confinement.workspace === "read";
}
