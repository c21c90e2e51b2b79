import { type RunResult, waitingText } from "./turn/run-result.ts";
import type { Interaction, JournalRecord, SessionEvent, SessionOwner } from "@capstan/protocol";
import { inertText, type ProgressLine } from "@capstan/view";
import { fittedRows, paintLine } from "./paint-line.ts";
import type { BehindNews, OpenedSession, TurnReport, TurnView } from "./turn/turn-request.ts";
import { parkedHereLines, parkedLines, waitingLines } from "./asking/waiting-lines.ts";
import { asksAgainText } from "./turn/answer-form.ts";
import { deniedHint } from "./turn/denied-hint.ts";
import { draftLines } from "./turn/draft-lines.ts";
import { isolationLine } from "./isolation-line.ts";
import { behindLines, joinedLines, ownerText } from "./owner-text.ts";
import { proposedLines } from "./sessions/proposal-lines.ts";
import { runsLaterShown } from "./limits.ts";
import { createProgress } from "./progress.ts";
import { summaryLines } from "./summary-lines.ts";
import { type LiveAnswer, LiveText } from "./screen/live-text.ts";
import type { Streams } from "./output.ts";

/** Progress to stderr, the answer to stdout: live on a terminal, whole at the end otherwise. */
export function createTextView(streams: Streams, options: Partial<TextViewOptions> = {}): TurnView {
  const live = new LiveText(streams.result);
  return new TextPrinter(streams, { asksHere: false, given: new Set(), live, ...options });
}

export interface TextViewOptions {
  /** The user who looks on is asked at this terminal. */
  readonly asksHere: boolean;
  /** Names of the flags of this run; no advice names them again. */
  readonly given: ReadonlySet<string>;
  /** The answer of the running step. */
  readonly live: LiveAnswer;
}

class TextPrinter implements TurnView {
  readonly #streams: Streams;
  readonly #options: TextViewOptions;
  /** Questions that the user who looks on was asked and answers. */
  readonly #answeredHere = new Set<string>();
  readonly #progress = createProgress();
  readonly #live: LiveAnswer;

  constructor(streams: Streams, options: TextViewOptions) {
    this.#streams = streams;
    this.#options = options;
    this.#live = options.live;
  }

  opened(opened: OpenedSession): void {
    for (const text of joinedLines(opened)) this.#print({ tone: "muted", text });
    this.#print(isolationLine(opened.snapshot.config.sandbox.isolation));
  }

  owner(owner: SessionOwner): void {
    this.#print({ tone: "muted", text: ownerText(owner) });
  }

  asksAgain(problem: string): void {
    this.#print({ tone: "warning", text: asksAgainText(problem) });
  }

  /** What is resumed was named before. */
  before(event: SessionEvent): void {
    if (event.record.type === "tool-decided") this.#progress(event);
  }

  event(event: SessionEvent): void {
    this.#follow(event.record);
    const lines = this.#progress(event);
    if (this.#isKnown(event.record)) return;
    for (const line of lines) this.#print(line);
  }

  answering(ids: readonly string[]): void {
    for (const id of ids) this.#answeredHere.add(id);
  }

  /** Whoever is asked on this screen sees the question itself, and has given the answer. */
  #isKnown(record: JournalRecord): boolean {
    if (record.type === "interaction-opened") return this.#options.asksHere;
    return record.type === "interaction-resolved" && this.#answeredHere.has(record.interactionId);
  }

  waiting(interaction: Interaction): void {
    for (const text of waitingLines(interaction)) this.#print({ tone: "warning", text });
  }

  finished({ result, sessionId }: TurnReport): void {
    const { result: out } = this.#streams;
    if (out.isTerminal) this.#live.end();
    else if (result.text !== "") out.write(withNewline(inertText(result.text)));
    if (this.#options.asksHere && result.outcome === "parked") this.#parkedHere(result, sessionId);
    else if (result.outcome !== "done" && result.outcome !== "proposed") this.#unfinished(result);
    for (const line of proposedLines(result.proposedChanges.length, sessionId)) this.#print(line);
    for (const denied of result.deniedCalls) this.#print({ tone: "warning", text: `denied: ${denied.summary}` });
    const hint = deniedHint(result.deniedCalls, sessionId, this.#options.given);
    if (hint !== undefined) this.#print({ tone: "muted", text: hint });
    for (const line of warningLines("moved to quarantine", result.quarantined)) this.#print(line);
    for (const line of warningLines("will run or be obeyed later", result.runsLater)) this.#print(line);
    for (const text of draftLines(result, sessionId)) this.#print({ tone: "muted", text });
    for (const text of summaryLines(result, sessionId, this.#streams.progress.columns))
      this.#print({ tone: "muted", text });
  }

  behind(news: BehindNews): void {
    for (const line of behindLines(news)) this.#print(line);
    if (news.type === "event") this.event(news.event);
    if (news.type === "ended") this.#live.end();
  }

  #parkedHere({ pending = [] }: RunResult, sessionId: string): void {
    this.#print({ tone: "warning", text: `parked: ${waitingText(pending.length)}` });
    for (const text of parkedHereLines(pending, sessionId)) this.#print({ tone: "plain", text });
  }

  /** How it ended, and what to do. */
  #unfinished({ outcome, error, pending = [] }: RunResult): void {
    this.#print({ tone: "bad", text: `${outcome}: ${error?.message ?? ""}` });
    for (const line of parkedLines(pending)) this.#print({ tone: "plain", text: line });
    const hint = error?.failure?.hint ?? error?.hint;
    if (hint !== undefined) this.#print({ tone: "plain", text: hint });
  }

  /** Answers that lead on to tools are progress; on a terminal every answer is shown as it comes. */
  #follow(record: JournalRecord): void {
    if (this.#streams.result.isTerminal) return this.#followLive(record);
    if (record.type !== "step-completed" || !record.message.content.some((block) => block.type === "tool-call")) return;
    const text = textOf(record);
    if (text.trim() !== "") this.#print({ tone: "muted", text: inertText(text.trim()) });
  }

  #followLive(record: JournalRecord): void {
    if (record.type === "text-delta") this.#live.push(record.delta);
    else if (record.type === "step-completed") this.#live.complete(textOf(record));
    else if (record.type === "step-abandoned" || record.type === "step-retrying") this.#live.end();
  }

  #print(line: ProgressLine): void {
    this.#live.interrupt();
    // Messages of vendors and tools come here as they are.
    const { progress, colors } = this.#streams;
    for (const row of fittedRows({ ...line, text: inertText(line.text) }, progress.columns))
      progress.write(`${paintLine(row, colors)}\n`);
  }
}

function textOf({ message }: Extract<JournalRecord, { type: "step-completed" }>): string {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}

/** What commands of the turn left that something else will run or obey, or would have: nobody should find that out by its running. */
function warningLines(what: string, found: readonly string[] = []): readonly ProgressLine[] {
  const shown = found.slice(0, runsLaterShown).map((text) => `${what}: ${text}`);
  const more = found.length - shown.length;
  const texts = more > 0 ? [...shown, `… ${more} more`] : shown;
  return texts.map((text) => ({ tone: "warning", text }));
}

function withNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
