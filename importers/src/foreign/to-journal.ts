import {
  type AssistantBlock,
  type JournalRecord,
  noUsage,
  type SessionEvent,
  type SessionId,
  toStepId,
  type ToolCallBlock,
  toTurnId,
  type TurnId,
  type UserContent,
} from "@capstan/protocol";
import { Folding } from "@capstan/session";
import { CallNames } from "./call-names.ts";
import type { ForeignAnswer, ForeignEntry, ForeignSession } from "./foreign-session.ts";
import type { Healing } from "./healing.ts";
import { resultsOf, type Results } from "./results-of.ts";
import { clean } from "./clean-texts.ts";

/** What every imported journal begins with, and what it is made with. */
export interface JournalFrame {
  readonly sessionId: SessionId;
  /** session-started, session-configured. */
  readonly opening: readonly JournalRecord[];
  /** Where the file names no time. ms since 1970. */
  readonly now: number;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

export interface ImportedJournal {
  readonly events: readonly SessionEvent[];
  readonly turns: number;
  readonly calls: number;
}

/**
 * A conversation as the journal of a session: turns with steps whose calls are all answered. Nothing was judged or started by
 * Capstan, so no call has a decision or an intent: its outcome is what the other agent's file says, else `unknown`.
 */
export function toJournal(session: ForeignSession, frame: JournalFrame, healing: Healing): ImportedJournal {
  const entries = clean(session.entries, frame, healing);
  const writer = new JournalWriter(session, frame, { results: resultsOf(entries), healing });
  for (const [at, entry] of entries.entries()) writer.entry(entry, at);
  return writer.finish();
}

/** A turn that is being written, and how it would end now. */
interface WrittenTurn {
  readonly id: TurnId;
  steps: number;
  end: "answered" | "silent" | "calling" | "unknown";
}

class JournalWriter {
  readonly #agent: string;
  readonly #frame: JournalFrame;
  readonly #results: Results;
  readonly #healing: Healing;
  readonly #names: CallNames;
  readonly #events: SessionEvent[] = [];
  /** How many messages there were before each entry. */
  readonly #places: number[] = [];
  readonly #folding = new Folding();
  #pending: UserContent[] = [];
  /** Pictures of results that were not shown yet. */
  #pictures: UserContent[] = [];
  #turn: WrittenTurn | null = null;
  #turns = 0;
  #calls = 0;
  #at: number;

  constructor(session: ForeignSession, frame: JournalFrame, made: { results: Results; healing: Healing }) {
    this.#agent = session.agent;
    this.#frame = frame;
    this.#results = made.results;
    this.#healing = made.healing;
    this.#names = new CallNames(made.healing);
    this.#at = session.entries.find((entry) => entry.at > 0)?.at ?? frame.now;
    for (const record of frame.opening) this.#write(record);
  }

  entry(entry: ForeignEntry, place: number): void {
    // A clock that jumped back does not turn the order around.
    if (entry.at > this.#at) this.#at = entry.at;
    // An open batch becomes a message with whatever comes next.
    this.#places[place] =
      this.#folding.state.conversation.length + (this.#folding.state.operation.type === "tool-loop" ? 1 : 0);
    switch (entry.type) {
      case "user":
        if (entry.content.length === 0) return this.#healing.note("empty messages dropped");
        this.#endTurn();
        this.#pending.push(...entry.content);
        return;
      case "answer":
        return this.#answer(entry);
      case "summary":
        return this.#summary(entry, place);
      case "result":
        return;
    }
  }

  finish(): ImportedJournal {
    if (this.#pending.length > 0) this.#startTurn();
    this.#endTurn();
    this.#healing.note("attachments left out (not inline, or too large)", this.#pictures.length);
    this.#healing.note("results without a call dropped", this.#results.unused());
    return { events: this.#events, turns: this.#turns, calls: this.#calls };
  }

  #answer({ blocks, model, usage, costUsd }: ForeignAnswer): void {
    if (blocks.length === 0) return this.#healing.note("empty messages dropped");
    const turn = this.#pending.length > 0 || this.#turn === null ? this.#startTurn() : this.#turn;
    this.#showPictures(turn);
    const named = blocks.map((block): AssistantBlock =>
      block.type === "call"
        ? { type: "tool-call", callId: this.#names.next(block.callId), name: block.name, arguments: block.arguments }
        : block,
    );
    const calls = named.filter((block) => block.type === "tool-call");
    turn.steps += 1;
    const stepId = toStepId(`${turn.id}.s${turn.steps}`);
    // Named after the agent and an own wire: no vendor is ever handed what another's model thought.
    const origin = { provider: this.#agent, model: model === "" ? "unknown" : model, wire: "import" };
    const asked = `${origin.provider}/${origin.model}`;
    this.#write({ type: "step-started", stepId, turnId: turn.id, attempt: 1, model: asked });
    this.#write({
      type: "step-completed",
      stepId,
      message: { role: "assistant", origin, content: named },
      reason: calls.length === 0 ? "stop" : "tool-calls",
      usage: usage ?? noUsage,
      // What the file does not say is not known; 0 would be a claim.
      costUsd: costUsd ?? null,
    });
    turn.end = calls.length === 0 ? "answered" : "calling";
    const foreign = blocks.flatMap((block) => (block.type === "call" ? [block.callId] : []));
    for (const [at, call] of calls.entries()) this.#finishCall(call, foreign[at] ?? "");
  }

  #finishCall({ callId }: ToolCallBlock, foreignId: string): void {
    this.#calls += 1;
    const result = this.#results.take(foreignId);
    if (result === undefined) {
      this.#healing.note("calls without a result: outcome unknown");
      if (this.#turn !== null) this.#turn.end = "unknown";
    }
    this.#pictures.push(...(result?.media ?? []));
    const common = { type: "tool-finished", callId, changes: [], observed: [], durationMs: 0 } as const;
    if (result === undefined) this.#write({ ...common, outcome: { type: "unknown", content: this.#interrupted() } });
    else if (result.outcome === "failed")
      this.#write({ ...common, outcome: { type: "failed", code: "tool.failed", content: result.content } });
    else this.#write({ ...common, outcome: { type: result.outcome, content: result.content } });
  }

  #interrupted(): string {
    return `Interrupted in ${this.#agent}; whether it took effect is not known. Look before you call it again.`;
  }

  #summary({ text, kept }: Extract<ForeignEntry, { type: "summary" }>, place: number): void {
    this.#endTurn();
    const messageCount = this.#places[place - kept] ?? this.#folding.state.conversation.length;
    if (text.trim() === "" || messageCount === 0) return;
    const stepId = toStepId(`import.c${this.#events.length}`);
    this.#write({ type: "compaction-started", stepId, messageCount, attempt: 1 });
    this.#write({
      type: "compaction-completed",
      stepId,
      summary: text,
      messageCount,
      usage: noUsage,
      costUsd: null,
    });
  }

  #startTurn(): WrittenTurn {
    this.#endTurn();
    this.#turns += 1;
    const turn: WrittenTurn = {
      id: toTurnId(`${this.#frame.sessionId}-import-${this.#turns}`),
      steps: 0,
      end: "silent",
    };
    // Answers that no words came before, such as those after a summary, follow the word that Capstan itself puts there.
    const words = [...this.#pictures, ...this.#pending];
    const content = words.length > 0 ? words : [{ type: "text" as const, text: "(continue)" }];
    this.#pictures = [];
    this.#pending = [];
    this.#turn = turn;
    this.#write({ type: "turn-started", turnId: turn.id, content, origin: { frontend: "import" } });
    return turn;
  }

  /** They come after the results, as words do that a user adds to a running turn. */
  #showPictures({ id, steps }: WrittenTurn): void {
    const content = this.#pictures;
    if (content.length === 0) return;
    this.#pictures = [];
    const inputId = toTurnId(`${id}-pictures-${steps}`);
    this.#write({ type: "turn-steered", turnId: id, inputId, content, origin: { frontend: "import" } });
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (turn === null) return;
    this.#turn = null;
    const common = { type: "turn-ended", turnId: turn.id, rolledBack: false } as const;
    switch (turn.end) {
      case "answered":
        return this.#write({ ...common, outcome: "done" });
      case "unknown":
        return this.#write({
          ...common,
          outcome: "outcome-unknown",
          message: `a call was interrupted in ${this.#agent}`,
        });
      case "calling":
      case "silent":
        return this.#write({ ...common, outcome: "interrupted", message: `it broke off in ${this.#agent}` });
    }
  }

  #write(record: JournalRecord): void {
    this.#events.push({ seq: this.#events.length + 1, at: this.#at, record });
    this.#folding.take(record);
  }
}
