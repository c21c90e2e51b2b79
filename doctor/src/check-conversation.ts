import type { JournalRecord, SessionEvent, Message, UserBlock } from "@capstan/protocol";

/** Finds calls of closed batches without an outcome or with two, and records of calls that nobody made. */
export class PairCheck {
  readonly #problems: string[] = [];
  #open = new Map<string, number>();

  /** One sentence for each offence. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  take({ seq, record }: SessionEvent): void {
    if (closesBatch(record)) {
      for (const [id, outcomes] of this.#open)
        if (outcomes === 0) this.#problems.push(`call ${id} has no outcome, though record ${seq} continues after it`);
      this.#open = new Map();
    }
    if (record.type === "step-completed") {
      for (const block of record.message.content) if (block.type === "tool-call") this.#open.set(block.callId, 0);
    }
    if (record.type === "turn-started" && record.call !== undefined) this.#open.set(record.call.callId, 0);
    if (record.type !== "tool-finished") return;
    const outcomes = this.#open.get(record.callId);
    if (outcomes === undefined) this.#problems.push(`record ${seq} ends call ${record.callId}, which nobody made`);
    else if (outcomes > 0) this.#problems.push(`record ${seq} ends call ${record.callId} a second time`);
    else this.#open.set(record.callId, 1);
  }
}

function closesBatch(record: JournalRecord): boolean {
  if (record.type === "interaction-opened") return record.interaction.request.type === "budget";
  return record.type === "step-started" || record.type === "turn-ended";
}

/**
 * What vendors would refuse about a conversation: it begins with the user, roles alternate, nothing is empty, and every call is
 * answered once, in order, at the start of the message after it. @returns one sentence for each offence
 */
export function messageProblems(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message, at): readonly string[] => {
    const problems: string[] = [];
    const check = (holds: boolean, text: string): void => {
      if (!holds) problems.push(`message ${at + 1} ${text}`);
    };
    check(message.role === (at % 2 === 0 ? "user" : "assistant"), "is of the wrong role");
    check(message.content.length > 0, "is empty");
    check(!message.content.some((block) => block.type === "text" && block.text === ""), "has an empty text");
    if (message.role === "user")
      check(answers(message.content, messages[at - 1]), "does not answer the calls before it");
    else check(at < messages.length - 1 || callIds(message).length === 0, "has calls that nothing answers");
    return problems;
  });
}

function answers(content: readonly UserBlock[], before: Message | undefined): boolean {
  const calls = callIds(before);
  const results = content.flatMap((block) => (block.type === "tool-result" ? [block.callId] : []));
  const first = content.slice(0, calls.length).every((block) => block.type === "tool-result");
  return first && results.length === calls.length && results.every((id, at) => id === calls[at]);
}

function callIds(message: Message | undefined): readonly string[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
}
