import {
  type FileChange,
  isJsonObject,
  type JournalRecord,
  type Origin,
  type SessionEvent,
  type ToolOutcome,
  type TurnId,
  type TurnOutcome,
  type UserContent,
} from "@capstan/protocol";
import { addSpending, nothingSpent, type Spending, writtenSummary } from "@capstan/view";
import { type DeniedCall, draftOf, type RunResult } from "./run-result.ts";

/** The result as of the events seen so far; `outcome` is absent until the turn ended. */
export interface RunningResult {
  /** Of the turn that is gathered: of the last, where one carries out the plan of another. */
  readonly turnId: TurnId;
  /** The turn has started. */
  readonly hasBegun: boolean;
  /** It has ended, or its words were taken out of the queue. */
  readonly ended: boolean;
  push(event: SessionEvent): void;
  /** One more turn belongs to the run. */
  follow(turnId: TurnId): void;
  result(fallback: TurnOutcome): RunResult;
}

/** Gathers a turn's result from its events. */
export function gatherResult(turnId: TurnId): RunningResult {
  return new Gathered(turnId);
}

type Ended = Extract<JournalRecord, { type: "turn-ended" }>;

/** Words that left the queue before their turn began. */
interface Withdrawn {
  readonly origin: Origin;
  readonly content?: readonly UserContent[];
}

class Gathered implements RunningResult {
  #turnId: TurnId;
  #isPlanApproved = false;
  #active = false;
  #hasBegun = false;
  #ended: Ended | undefined;
  #withdrawn: Withdrawn | undefined;
  #text = "";
  /** Of a turn that runs a command of its user's own. */
  #usersCall: string | undefined;
  #hasFailed = false;
  #spent: Spending = nothingSpent;
  #toolCalls = 0;
  readonly #changes = new Map<string, FileChange>();
  readonly #proposed = new Map<string, FileChange>();
  readonly #denied: DeniedCall[] = [];
  readonly #runsLater = new Set<string>();
  readonly #quarantined = new Set<string>();
  readonly #calls = new Map<string, { readonly tool: string; readonly summary: string }>();

  constructor(turnId: TurnId) {
    this.#turnId = turnId;
  }

  get turnId(): TurnId {
    return this.#turnId;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get ended(): boolean {
    return this.#ended !== undefined || this.#withdrawn !== undefined;
  }

  push({ record }: SessionEvent): void {
    if (record.type === "turn-started") this.#start(record);
    // The words reach a turn that is under way: it is theirs from here on.
    if (record.type === "turn-steered" && record.inputId === this.#turnId) this.#activate(record.turnId);
    if (record.type === "queue-changed" && record.turnId === this.#turnId) this.#leaveQueue(record);
    if (!this.#active) return;
    if (record.type === "interaction-resolved") this.#isPlanApproved ||= approvesPlan(record);
    if (record.type === "turn-ended" && record.turnId === this.#turnId) this.#end(record);
    this.#note(record);
  }

  follow(turnId: TurnId): void {
    this.#turnId = turnId;
    this.#active = false;
    this.#ended = undefined;
  }

  /** Turns of others may come before and after. */
  #start(record: Extract<JournalRecord, { type: "turn-started" }>): void {
    this.#active = false;
    if (record.turnId !== this.#turnId && record.follows !== this.#turnId) return;
    this.#activate(record.turnId);
    this.#usersCall = record.call?.callId;
  }

  #activate(turnId: TurnId): void {
    this.#turnId = turnId;
    this.#active = true;
    this.#hasBegun = true;
  }

  #leaveQueue({ change, origin }: Extract<JournalRecord, { type: "queue-changed" }>): void {
    if (change.type === "removed") this.#withdrawn = { origin };
    if (change.type === "handed-back") this.#withdrawn = { origin, content: change.content };
  }

  /** A turn whose plan was approved continues in the one that carries it out, which begins in the same moment. */
  #end(record: Ended): void {
    if (!this.#isPlanApproved) this.#ended = record;
    this.#isPlanApproved = false;
  }

  result(fallback: TurnOutcome): RunResult {
    const ended = this.#ended;
    const outcome = this.#hasFailed ? "error" : (ended?.outcome ?? fallback);
    const words = ended?.draft ?? this.#withdrawn?.content;
    const draft = words === undefined ? undefined : draftOf(words);
    return {
      outcome,
      text: this.#text,
      ...this.#spent,
      toolCalls: this.#toolCalls,
      filesChanged: [...this.#changes.values()],
      proposedChanges: this.#stillProposed(),
      deniedCalls: this.#denied,
      ...(this.#runsLater.size === 0 ? {} : { runsLater: [...this.#runsLater] }),
      ...(this.#quarantined.size === 0 ? {} : { quarantined: [...this.#quarantined] }),
      ...(outcome === "done" || outcome === "proposed" ? {} : { error: errorOf(ended, this.#whyNot() ?? outcome) }),
      ...(draft === undefined ? {} : { draft }),
    };
  }

  /** What a turn proposed goes with it when it is rolled back. */
  #stillProposed(): readonly FileChange[] {
    return this.#ended?.rolledBack === true ? [] : [...this.#proposed.values()];
  }

  #whyNot(): string | undefined {
    return this.#hasFailed ? "the command failed" : withdrawnText(this.#withdrawn);
  }

  #note(record: JournalRecord): void {
    this.#spent = addSpending(this.#spent, record);
    switch (record.type) {
      case "step-completed":
        this.#text = record.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
        for (const block of record.message.content) {
          if (block.type === "tool-call")
            this.#calls.set(block.callId, { tool: block.name, summary: writtenSummary(block) });
        }
        break;
      case "step-abandoned":
        if (record.cause !== "process-died") this.#text = record.text;
        break;
      case "tool-decided":
        this.#calls.set(record.callId, { tool: record.action.tool, summary: record.action.summary });
        break;
      case "tool-finished":
        this.#finish(record);
        break;
      default:
        break;
    }
  }

  #finish({ callId, outcome, changes }: Extract<JournalRecord, { type: "tool-finished" }>): void {
    this.#toolCalls += 1;
    if (callId === this.#usersCall) {
      this.#text = outcome.content;
      this.#hasFailed = outcome.type === "failed" || isNotZero(outcome);
    }
    const call = this.#calls.get(callId) ?? { tool: "unknown", summary: "unknown" };
    if (outcome.type === "denied") {
      const { by, content: reason, passesWith } = outcome;
      this.#denied.push({ ...call, reason, by, ...(passesWith === undefined ? {} : { passesWith }) });
    }
    for (const text of textsOf(outcome, "runsLater")) this.#runsLater.add(text);
    for (const text of textsOf(outcome, "quarantined")) this.#quarantined.add(text);
    const into = outcome.type === "proposed" ? this.#proposed : this.#changes;
    for (const change of changes) into.set(change.path, joinChanges(into.get(change.path), change));
  }
}

/** A command that ended by itself, and not well. */
function isNotZero(outcome: ToolOutcome): boolean {
  const details = "details" in outcome ? outcome.details : undefined;
  return isJsonObject(details) && details["exitCode"] !== 0 && details["exitCode"] !== undefined;
}

function approvesPlan({ answer }: Extract<JournalRecord, { type: "interaction-resolved" }>): boolean {
  return answer.type === "plan" && (answer.decision === "proceed" || answer.decision === "proceed-clean");
}

function withdrawnText(withdrawn: Withdrawn | undefined): string | undefined {
  if (withdrawn === undefined) return undefined;
  const { frontend, user } = withdrawn.origin;
  return `the words were taken out of the queue (${user === undefined ? frontend : `${user}, ${frontend}`})`;
}

/** @param fallback  what is said where the end says nothing itself */
function errorOf(ended: Ended | undefined, fallback: string): NonNullable<RunResult["error"]> {
  const { message = fallback, failure } = ended ?? {};
  return failure === undefined ? { message } : { message, code: failure.code, failure };
}

/** At most what one result names. */
function textsOf(outcome: ToolOutcome, name: "runsLater" | "quarantined"): readonly string[] {
  const details = "details" in outcome ? outcome.details : undefined;
  const texts = isJsonObject(details) ? details[name] : undefined;
  return Array.isArray(texts) ? texts.filter((text) => typeof text === "string") : [];
}

/** Two changes of one path as one. The diff of the last stands; a file made and removed again is shown as removed. */
function joinChanges(before: FileChange | undefined, change: FileChange): FileChange {
  if (before === undefined) return change;
  const kind = before.kind === "created" && change.kind === "modified" ? "created" : change.kind;
  return {
    ...change,
    kind,
    addedLines: before.addedLines + change.addedLines,
    removedLines: before.removedLines + change.removedLines,
  };
}
