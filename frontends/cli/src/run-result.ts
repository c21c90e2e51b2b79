import {
  addUsage,
  type FileChange,
  type Interaction,
  isJsonObject,
  type JournalRecord,
  noUsage,
  type ProviderFailure,
  type SessionEvent,
  type ToolOutcome,
  type TurnId,
  type TurnOutcome,
  type Usage,
} from "@capstan/protocol";
import { inertLine, interactionSummary } from "@capstan/view";
import { answerCommands } from "./asking/answer-commands.ts";

export interface DeniedCall {
  readonly tool: string;
  readonly summary: string;
  readonly reason: string;
}

/** What one turn came to: the answer, and everything a script wants to know about it. */
export interface RunResult {
  readonly outcome: TurnOutcome;
  /** The text of the last answer. */
  readonly text: string;
  readonly usage: Usage;
  /** `null` when the model's prices are not known. */
  readonly costUsd: number | null;
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** One entry a path, changes of the same path joined. */
  readonly filesChanged: readonly FileChange[];
  /** Review strategy: changes that were proposed and not applied. */
  readonly proposedChanges: readonly FileChange[];
  readonly deniedCalls: readonly DeniedCall[];
  /** What commands left in the workspace that something else will run or obey, each once, in words; absent: nothing. */
  readonly runsLater?: readonly string[];
  readonly error?: { readonly message: string; readonly code?: string; readonly failure?: ProviderFailure };
  /** What waits for a user, when the turn was parked. */
  readonly pending?: readonly PendingQuestion[];
  /** The words to try again with, when the turn left no trace. */
  readonly draft?: string;
}

/** Something that waits for a user. `command`: the first that answers it. */
export interface PendingQuestion {
  readonly id: string;
  readonly type: Interaction["request"]["type"];
  readonly summary: string;
  readonly command: string;
}

/** What waits, as scripts and the user is notified of it. */
export function pendingQuestions(pending: readonly Interaction[]): readonly PendingQuestion[] {
  return pending.map((interaction) => ({
    id: interaction.id,
    type: interaction.request.type,
    summary: inertLine(interactionSummary(interaction), summaryCharacters),
    command: answerCommands(interaction)[0]?.command ?? "",
  }));
}

const summaryCharacters = 160;

/** The result as of the events seen so far; `outcome` is absent until the turn ended. */
export interface RunningResult {
  push(event: SessionEvent): void;
  result(fallback: TurnOutcome): RunResult;
  readonly ended: boolean;
}

/** Gathers a turn's result from its events. */
export function gatherResult(turnId: TurnId): RunningResult {
  const gathered = new Gathered(turnId);
  return gathered;
}

type Ended = Extract<JournalRecord, { type: "turn-ended" }>;

class Gathered implements RunningResult {
  /** Of the turn that is gathered: of the last, where one carries out the plan of another. */
  #turnId: TurnId;
  #isPlanApproved = false;
  #active = false;
  #ended: Ended | undefined;
  #text = "";
  #usage: Usage = noUsage;
  #costUsd: number | null = 0;
  #modelCalls = 0;
  #toolCalls = 0;
  readonly #changes = new Map<string, FileChange>();
  readonly #proposed = new Map<string, FileChange>();
  readonly #denied: DeniedCall[] = [];
  readonly #runsLater = new Set<string>();
  readonly #calls = new Map<string, { readonly tool: string; readonly summary: string }>();

  constructor(turnId: TurnId) {
    this.#turnId = turnId;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  push({ record }: SessionEvent): void {
    if (record.type === "turn-started") {
      if (record.follows === this.#turnId) this.#turnId = record.turnId;
      this.#active = record.turnId === this.#turnId;
    }
    if (record.type === "interaction-resolved") this.#isPlanApproved ||= approvesPlan(record);
    if (record.type === "turn-ended" && record.turnId === this.#turnId) this.#end(record);
    // A resumed session continues with a turn that began before we looked.
    if (this.#active || record.type !== "notice") this.#note(record);
  }

  /** A turn whose plan was approved continues in the one that carries it out, which begins in the same moment. */
  #end(record: Ended): void {
    if (!this.#isPlanApproved) this.#ended = record;
    this.#isPlanApproved = false;
  }

  result(fallback: TurnOutcome): RunResult {
    const ended = this.#ended;
    const outcome = ended?.outcome ?? fallback;
    const draft = ended?.draft?.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return {
      outcome,
      text: this.#text,
      usage: this.#usage,
      costUsd: this.#costUsd,
      modelCalls: this.#modelCalls,
      toolCalls: this.#toolCalls,
      filesChanged: [...this.#changes.values()],
      proposedChanges: [...this.#proposed.values()],
      deniedCalls: this.#denied,
      ...(this.#runsLater.size === 0 ? {} : { runsLater: [...this.#runsLater] }),
      ...(outcome === "done" ? {} : { error: errorOf(ended, outcome) }),
      ...(draft === undefined ? {} : { draft }),
    };
  }

  #note(record: JournalRecord): void {
    switch (record.type) {
      case "step-completed":
        this.#modelCalls += 1;
        this.#usage = addUsage(this.#usage, record.usage);
        this.#costUsd = this.#costUsd === null || record.costUsd === null ? null : this.#costUsd + record.costUsd;
        this.#text = record.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
        for (const block of record.message.content) {
          if (block.type === "tool-call") this.#calls.set(block.callId, { tool: block.name, summary: block.name });
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
    const call = this.#calls.get(callId) ?? { tool: "unknown", summary: "unknown" };
    if (outcome.type === "denied") this.#denied.push({ ...call, reason: outcome.content });
    for (const text of runsLaterOf(outcome)) this.#runsLater.add(text);
    const into = outcome.type === "proposed" ? this.#proposed : this.#changes;
    for (const change of changes) into.set(change.path, joinChanges(into.get(change.path), change));
  }
}

function approvesPlan({ answer }: Extract<JournalRecord, { type: "interaction-resolved" }>): boolean {
  return answer.type === "plan" && (answer.decision === "proceed" || answer.decision === "proceed-clean");
}

function errorOf(ended: Ended | undefined, outcome: TurnOutcome): NonNullable<RunResult["error"]> {
  const { message = outcome, failure } = ended ?? {};
  return failure === undefined ? { message } : { message, code: failure.code, failure };
}

/** At most what one result names. */
function runsLaterOf(outcome: ToolOutcome): readonly string[] {
  const details = "details" in outcome ? outcome.details : undefined;
  const later = isJsonObject(details) ? details["runsLater"] : undefined;
  return Array.isArray(later) ? later.filter((text) => typeof text === "string") : [];
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
