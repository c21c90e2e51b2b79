import type { Interaction, JournalRecord, JsonObject, SessionId, ToolCallId, UserContent } from "@capstan/protocol";
import { textOf } from "../message-text.ts";
import type { AnsweredEvent, CallEvent, EngineEventMap, EngineEventName } from "./engine-events.ts";

/** Passes an event on. */
export type Emit = <Name extends EngineEventName>(name: Name, event: EngineEventMap[Name]) => void;

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { readonly type: Type }>;

/** What the records of one session mean as events. */
export class SessionEvents {
  readonly #sessionId: SessionId;
  readonly #emit: Emit;
  /** Those that wait. */
  readonly #asked: Map<string, Interaction>;
  /** Calls that have not ended. */
  readonly #calls = new Map<ToolCallId, { readonly tool: string; readonly input: JsonObject }>();
  #lastText = "";

  /** @param pending  what waits already when the session is opened */
  constructor(sessionId: SessionId, pending: readonly Interaction[], emit: Emit) {
    this.#sessionId = sessionId;
    this.#emit = emit;
    this.#asked = new Map(pending.map((interaction) => [interaction.id, interaction]));
    for (const { request } of pending) if (request.type === "approval") this.#learn(request.callId, request.action);
  }

  receive(record: JournalRecord): void {
    switch (record.type) {
      case "turn-started":
        return this.#began(record);
      case "turn-steered":
        return this.#messageIn(record);
      case "step-completed":
        return this.#answered(record);
      case "turn-ended":
        return this.#ended(record);
      case "tool-decided":
        return this.#decided(record);
      case "tool-finished":
        return this.#finished(record);
      case "interaction-opened":
        return this.#opened(record);
      case "interaction-resolved":
        return this.#resolved(record);
      default:
        return undefined;
    }
  }

  /** What continues a turn, and a user's own command, are no words to the model. */
  #began(record: Of<"turn-started">): void {
    this.#lastText = "";
    if (record.follows === undefined && record.call === undefined) this.#messageIn(record);
  }

  #messageIn({ turnId, origin, content }: Of<"turn-started"> | Of<"turn-steered">): void {
    this.#emit("message.in", { sessionId: this.#sessionId, turnId, ...origin, text: wordsOf(content) });
  }

  #answered({ message }: Of<"step-completed">): void {
    this.#lastText = textOf(message);
    for (const block of message.content)
      if (block.type === "tool-call") this.#calls.set(block.callId, { tool: block.name, input: block.arguments });
  }

  #ended({ turnId, outcome }: Of<"turn-ended">): void {
    this.#calls.clear();
    this.#emit("message.out", { sessionId: this.#sessionId, turnId, outcome, text: this.#lastText });
  }

  #decided({ callId, action, judgement }: Of<"tool-decided">): void {
    this.#learn(callId, action);
    this.#emit("tool.gated", this.#call(callId));
    if (judgement.verdict === "allow") this.#emit("tool.allowed", { ...this.#call(callId), via: "policy" });
  }

  #finished({ callId, outcome }: Of<"tool-finished">): void {
    if (outcome.type === "denied")
      this.#emit("tool.denied", { ...this.#call(callId), by: outcome.by, reason: outcome.content });
    this.#calls.delete(callId);
  }

  #opened({ interaction }: Of<"interaction-opened">): void {
    this.#asked.set(interaction.id, interaction);
    const name = interaction.request.type === "approval" ? "approval.requested" : "interaction.requested";
    this.#emit(name, { sessionId: this.#sessionId, interaction });
  }

  #resolved({ interactionId, answer, origin }: Of<"interaction-resolved">): void {
    const interaction = this.#asked.get(interactionId);
    if (interaction === undefined) return;
    this.#asked.delete(interactionId);
    const { user } = origin;
    const by = user === undefined ? {} : { by: user };
    const event: AnsweredEvent = { sessionId: this.#sessionId, interaction, answer: answer.type, ...by };
    if (interaction.request.type !== "approval") return this.#emit("interaction.resolved", event);
    this.#emit("approval.resolved", event);
    const { callId } = interaction.request;
    if (answer.type === "approve") this.#emit("tool.allowed", { ...this.#call(callId), via: "approval" });
  }

  #learn(callId: ToolCallId, { tool, arguments: input }: Of<"tool-decided">["action"]): void {
    this.#calls.set(callId, { tool, input });
  }

  #call(callId: ToolCallId): CallEvent {
    return { sessionId: this.#sessionId, callId, ...this.#calls.get(callId) };
  }
}

function wordsOf(content: readonly UserContent[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
