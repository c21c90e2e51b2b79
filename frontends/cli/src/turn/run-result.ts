import type {
  DeniedBy,
  FileChange,
  PassesWith,
  Interaction,
  JsonValue,
  ProviderFailure,
  Receipt,
  TurnOutcome,
  Usage,
  UserContent,
} from "@capstan/protocol";
import { inertLine, interactionSummary } from "@capstan/view";
import { answerCommands } from "../asking/answer-commands.ts";

export interface DeniedCall {
  readonly tool: string;
  readonly summary: string;
  readonly reason: string;
  readonly by: DeniedBy;
  /** What would have let it pass; absent: nothing that is known. */
  readonly passesWith?: PassesWith;
}

/** What one turn came to: the answer, and everything a script wants to know about it. */
export interface RunResult {
  readonly outcome: TurnOutcome;
  /** The text of the last answer. */
  readonly text: string;
  /** With `--json-schema`: the answer as a value that fits the schema; absent: there is none that does. */
  readonly structuredOutput?: JsonValue;
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
  /** New names that agents, editors or git would have obeyed: taken out of the workspace, each with the way back; absent: none. */
  readonly quarantined?: readonly string[];
  readonly error?: {
    readonly message: string;
    readonly code?: string;
    /** What to do. */
    readonly hint?: string;
    readonly failure?: ProviderFailure;
  };
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

/** What waits, in the form that scripts and users read. */
export function pendingQuestions(pending: readonly Interaction[]): readonly PendingQuestion[] {
  return pending.map((interaction) => ({
    id: interaction.id,
    type: interaction.request.type,
    summary: inertLine(interactionSummary(interaction), summaryCharacters),
    command: answerCommands(interaction)[0]?.command ?? "",
  }));
}

/** What to do about a run that is parked. */
export function parkedText(count: number, sessionId: string): string {
  return `${waitingText(count)}; then capstan run --resume ${sessionId}`;
}

export function waitingText(count: number): string {
  return count === 1 ? "1 question waits for an answer" : `${count} questions wait for an answer`;
}

const summaryCharacters = 160;

/** Words as they are handed back. */
export function draftOf(content: readonly UserContent[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Nothing changed, and the result says why. */
export function refused(
  result: RunResult,
  { code, reason, hint }: Extract<Receipt, { readonly type: "refused" }>,
): RunResult {
  const message = hint === undefined ? reason : `${reason}. ${hint}`;
  return { ...result, outcome: "error", error: { message, code } };
}
