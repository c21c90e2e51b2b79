import type { Interaction, InteractionAnswer, InteractionRequest, Role } from "@capstan/protocol";
import { includesRole } from "@capstan/protocol";
import {
  type AnswerChoice,
  approvalCard,
  approvalOf,
  type ChoiceMeaning,
  editedText,
  interactionLines,
} from "@capstan/view";
import { maxMisunderstandings } from "../limits.ts";
import { approvalLines, approvalListLines } from "./approval-lines.ts";
import type { AskTerminal } from "./on-ask.ts";

type Approval = Extract<InteractionRequest, { type: "approval" }>;

/** A call that is asked about. */
export type AskedApproval = Interaction & { readonly request: Approval };

export interface GivenAnswer {
  readonly interaction: Interaction;
  readonly answer: InteractionAnswer;
}

export interface ApprovalAsking {
  readonly terminal: AskTerminal;
  /** What whoever sits there may answer. */
  readonly role: Role;
  readonly signal: AbortSignal;
}

/**
 * Asks about the calls of one step at a terminal, by single keys: one question, or one list in which each call can be selected.
 * @returns the answers; what was not selected is in none of them; `null`: nobody answers now
 */
export async function askApprovals(
  asked: readonly AskedApproval[],
  asking: ApprovalAsking,
): Promise<readonly GivenAnswer[] | null> {
  return await new ApprovalPrompt(asked, asking).answers();
}

class ApprovalPrompt {
  readonly #asked: readonly AskedApproval[];
  readonly #asking: ApprovalAsking;
  #selected: ReadonlySet<number>;
  #focus = 0;
  #hasSeenDetails = false;

  constructor(asked: readonly AskedApproval[], asking: ApprovalAsking) {
    this.#asked = asked;
    this.#asking = asking;
    this.#selected = new Set(asked.keys());
  }

  async answers(): Promise<readonly GivenAnswer[] | null> {
    const { terminal, signal } = this.#asking;
    let again = false;
    for (let misread = 0; misread < maxMisunderstandings;) {
      const key = await terminal.key(this.#lines(), { again, signal });
      if (key === null || signal.aborted) return null;
      again = this.#moves(key);
      if (again) continue;
      const choice = this.#choices().find((each) => each.key === key || String(each.number) === key);
      if (choice === undefined && key !== "v") {
        terminal.chosen("");
        terminal.show([{ tone: "warning", text: this.#notUnderstood(key) }]);
        misread += 1;
        continue;
      }
      terminal.chosen(choice === undefined ? "details" : `${choice.number} ${choice.label}`);
      const given = choice === undefined ? this.#showDetails() : await this.#follow(choice.means);
      if (given !== "again") return given;
      misread += 1;
    }
    terminal.show([{ tone: "warning", text: "Too many keys that were no answer." }]);
    return null;
  }

  #lines(): ReturnType<typeof approvalLines> {
    const cards = this.#asked.map(({ request }) => approvalCard(request));
    const [only] = cards;
    if (only !== undefined && cards.length === 1) return approvalLines({ ...only, choices: this.#choices() });
    return approvalListLines({ cards, selected: this.#selected, focus: this.#focus, choices: this.#choices() });
  }

  /** What is offered for one of the selected at least; for good only to those who may, once they have seen what it says. */
  #choices(): readonly AnswerChoice[] {
    const { role } = this.#asking;
    const [only, ...others] = this.#chosen();
    if (only === undefined)
      return approvalCard(this.#focused().request).choices.filter(({ means }) => means.type === "later");
    const isFinal = this.#hasSeenDetails && others.length === 0 && includesRole(role, "operate");
    const own = approvalCard(only.request).choices.filter(({ number }) => number !== 7 || isFinal);
    if (others.length === 0) return own;
    const all = [only, ...others].flatMap(({ request }) => approvalCard(request).choices);
    return [1, 2, 3, 4, 5, 6].flatMap((number) => {
      const found = all.find((choice) => choice.number === number);
      if (found === undefined) return [];
      return number === 2 ? [{ ...found, label: "each of them, this session" }] : [found];
    });
  }

  #chosen(): readonly AskedApproval[] {
    return this.#asked.filter((_, at) => this.#selected.has(at));
  }

  #focused(): AskedApproval {
    const focused = this.#asked[this.#focus];
    if (focused === undefined) throw new RangeError("the list of questions is empty");
    return focused;
  }

  /** Whether the key only moved in the list. */
  #moves(key: string): boolean {
    const count = this.#asked.length;
    if (count === 1) return false;
    if (key === "up" || key === "down") this.#focus = (this.#focus + (key === "up" ? count - 1 : 1)) % count;
    else if (key === "space") this.#toggle(this.#focus);
    else return false;
    return true;
  }

  #toggle(at: number): void {
    const next = new Set(this.#selected);
    if (!next.delete(at)) next.add(at);
    this.#selected = next;
  }

  #notUnderstood(key: string): string {
    if (this.#selected.size === 0) return "Nothing is selected. Nothing was answered.";
    const numbers = this.#choices().map(({ number }) => number);
    const shown = key.length === 1 ? JSON.stringify(key) : key;
    return `${shown} is no answer here: ${numbers.join(", ")} or v is needed. Nothing was answered.`;
  }

  #showDetails(): "again" {
    this.#hasSeenDetails = true;
    this.#asking.terminal.show(interactionLines(this.#focused(), Date.now()));
    return "again";
  }

  async #follow(means: ChoiceMeaning): Promise<readonly GivenAnswer[] | null | "again"> {
    switch (means.type) {
      case "approve":
        return this.#approve(means);
      case "deny":
        return await this.#deny();
      case "edit":
        return await this.#edit();
      case "later":
        return null;
    }
  }

  /**
   * Of several, those that cannot be remembered are approved once. The workspace is one answer: the session then approves what else it
   * allows by itself, and the rest is asked about again.
   */
  #approve(means: Approving): readonly GivenAnswer[] {
    if (means.remember !== "workspace") return this.#chosen().map((interaction) => approve(interaction, means));
    const first = this.#chosen().find(({ request }) => request.workspaceOffer === true);
    return first === undefined ? [] : [{ interaction: first, answer: approvalOf(first, means) }];
  }

  async #deny(): Promise<readonly GivenAnswer[] | "again"> {
    const { terminal, signal } = this.#asking;
    const words = await terminal.ask("why, or what instead (Enter: no words)> ", signal);
    if (words === null) return "again";
    const message = words.trim();
    const answer: InteractionAnswer = { type: "deny", ...(message === "" ? {} : { message }) };
    return this.#chosen().map((interaction) => ({ interaction, answer }));
  }

  /** Of several the one that is looked at. */
  async #edit(): Promise<readonly GivenAnswer[] | "again"> {
    const { terminal } = this.#asking;
    const interaction = this.#focused();
    const { action } = interaction.request;
    const { text, ending, read } = editedText(action);
    const edited = await terminal.edit(text, ending);
    const result = "problem" in edited ? edited : edited.text === text ? unchanged : read(edited.text);
    if (!("problem" in result))
      return [{ interaction, answer: { type: "edit", digest: interaction.digest, arguments: result.arguments } }];
    terminal.show([{ tone: "warning", text: `${result.problem} Nothing was answered.` }]);
    return "again";
  }
}

const unchanged = { problem: "Nothing was changed." };

type Approving = Extract<ChoiceMeaning, { type: "approve" }>;

/** What one means by "remember" is a file, what another means a kind of commands. */
function approve(interaction: AskedApproval, means: Approving): GivenAnswer {
  const isOnce = means.remember === "nothing" || interaction.request.remembered === undefined;
  const own: Approving =
    means.remember === "always"
      ? means
      : { type: "approve", remember: isOnce ? "nothing" : (interaction.request.remembered?.what ?? "nothing") };
  return { interaction, answer: approvalOf(interaction, own) };
}
