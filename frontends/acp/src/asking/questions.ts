import type { Interaction, InteractionAnswer, Question, Receipt } from "@capstan/protocol";
import type { RpcPeer, SentRequest } from "../peer/rpc-peer.ts";
import { type Choice, choicesFor } from "./choices.ts";
import { type AskedIn, callOf, chosenOption, permissionRequest } from "./permission.ts";
import { formAnswer, formMessage, questionForm } from "./question-form.ts";

export interface QuestionOptions {
  readonly peer: RpcPeer;
  readonly place: AskedIn;
  /** The client shows forms. */
  readonly forms: boolean;
  readonly answer: (interaction: Interaction, answer: InteractionAnswer) => Promise<Receipt>;
  /** The client gave no answer because it cancels what it asked for. */
  readonly cancelled: (interaction: Interaction) => void;
  /** An answer did not count. */
  readonly refused: (reason: string) => void;
}

/** A question that was handed to the client, and is not settled. */
interface Asked {
  request: SentRequest | undefined;
  isSettled: boolean;
}

/** What waits for a user, asked in the editor: each once in this connection, until it is settled here or elsewhere. */
export class Questions {
  readonly #options: QuestionOptions;
  readonly #asked = new Map<string, Asked>();

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  ask(interaction: Interaction): void {
    if (this.#asked.has(interaction.id)) return;
    const asked: Asked = { request: undefined, isSettled: false };
    this.#asked.set(interaction.id, asked);
    void this.#ask(interaction, asked);
  }

  /** It was answered, wherever, or has ended: the client need not answer any more. */
  settled(id: string): void {
    const asked = this.#asked.get(id);
    if (asked === undefined || asked.isSettled) return;
    asked.isSettled = true;
    asked.request?.cancel();
  }

  /** Takes every question back. */
  close(): void {
    for (const id of this.#asked.keys()) this.settled(id);
  }

  async #ask(interaction: Interaction, asked: Asked): Promise<void> {
    const answer = await this.#answerOf(interaction, asked);
    if (asked.isSettled) return;
    if (answer === "cancelled") return this.#options.cancelled(interaction);
    const receipt = await this.#options.answer(interaction, answer);
    asked.isSettled = true;
    if (receipt.type === "refused" && receipt.code !== "interaction.settled") this.#options.refused(receipt.reason);
  }

  async #answerOf(interaction: Interaction, asked: Asked): Promise<InteractionAnswer | "cancelled"> {
    const { request } = interaction;
    try {
      if (request.type !== "question") return await this.#choose(interaction, choicesFor(interaction), asked);
      if (this.#options.forms) return await this.#fillForm(interaction, request.questions, asked);
      return await this.#askEach(interaction, request.questions, asked);
    } catch (error) {
      // Whoever could not be asked has allowed nothing; when the connection has ended, the question waits for the next.
      if (this.#options.peer.hasEnded) return "cancelled";
      return denial(interaction, `the editor could not ask: ${error instanceof Error ? error.message : "no answer"}`);
    }
  }

  async #choose(
    interaction: Interaction,
    choices: readonly Choice[],
    asked: Asked,
  ): Promise<InteractionAnswer | "cancelled"> {
    const { peer, place } = this.#options;
    const request = peer.request("session/request_permission", permissionRequest(interaction, choices, place));
    asked.request = request;
    const option = chosenOption(await request.answer);
    if (option === undefined) return "cancelled";
    const chosen = choices.find(({ optionId }) => optionId === option);
    return chosen?.answer ?? denial(interaction, "the editor chose nothing that was offered");
  }

  async #fillForm(interaction: Interaction, questions: readonly Question[], asked: Asked): Promise<InteractionAnswer> {
    const { peer, place } = this.#options;
    const request = peer.request("elicitation/create", {
      mode: "form",
      sessionId: place.sessionId,
      toolCallId: callOf(interaction, place),
      message: formMessage(questions),
      requestedSchema: questionForm(questions),
    });
    asked.request = request;
    return formAnswer(questions, await request.answer);
  }

  /** One after the other, as buttons. */
  async #askEach(
    interaction: Interaction,
    questions: readonly Question[],
    asked: Asked,
  ): Promise<InteractionAnswer | "cancelled"> {
    const answers: (readonly string[])[] = [];
    for (const question of questions) {
      const answer = await this.#choose(alone(interaction, question), optionsOf(question), asked);
      if (answer === "cancelled" || answer.type !== "reply") return answer;
      answers.push(...answer.answers);
      if (asked.isSettled) return "cancelled";
    }
    return { type: "reply", answers };
  }
}

/** The same interaction with one of its questions. */
function alone(interaction: Interaction, question: Question): Interaction {
  const { request } = interaction;
  return request.type === "question" ? { ...interaction, request: { ...request, questions: [question] } } : interaction;
}

function optionsOf({ options }: Question): readonly Choice[] {
  const offered = options.map(({ label }, at): Choice => ({
    optionId: `option-${at + 1}`,
    name: label,
    kind: "allow_once",
    answer: { type: "reply", answers: [[label]] },
  }));
  const message = "The user answers in words, in the next message. End your turn.";
  return [
    ...offered,
    { optionId: "words", name: "I answer in my next message", kind: "reject_once", answer: { type: "deny", message } },
  ];
}

/** The answer that grants nothing. */
function denial({ digest, request }: Interaction, message: string): InteractionAnswer {
  switch (request.type) {
    case "approval":
    case "question":
      return { type: "deny", message };
    case "plan-review":
      return { type: "plan", digest, decision: "cancel" };
    case "budget":
      return { type: "stop" };
    case "recovery":
      return { type: "tell-model" };
  }
}
