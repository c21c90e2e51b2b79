import {
  type Frame,
  includesRole,
  type Interaction,
  type Receipt,
  type SessionClient,
  type SessionOwner,
  type Submission,
  type TurnId,
  unreachable,
  userText,
} from "@capstan/protocol";
import { approvalCard, inertText, interactionLines, jsonLine } from "@capstan/view";
import { typedApprovalLines } from "./asking/approval-lines.ts";
import { readAnswer } from "./asking/read-answer.ts";
import type { Streams } from "./output.ts";
import { StatusLines } from "./status/status-lines.ts";
import { TurnStatus } from "./status/turn-status.ts";
import { SessionLines } from "./transcript/session-lines.ts";
import { UnfinishedTurns } from "./transcript/unfinished-turns.ts";

export interface AttachRequest {
  readonly session: SessionClient;
  /** What the user types, line by line; `null` where the user only reads. */
  readonly lines: AsyncIterable<string> | null;
  /** Where lines are typed on the screen that everything else is printed on. */
  readonly keys?: TypedKeys;
  readonly delivery: "queue" | "steer";
  readonly format: "text" | "stream-json";
  newTurnId(): TurnId;
  /** Detaches: whatever runs in the session continues. */
  readonly signal: AbortSignal;
}

/** Keys of somebody who types, one by one. */
export interface TypedKeys {
  /** Nothing of the next line is typed yet. */
  isEmpty(): boolean;
  /** @param before  called before a key is shown @param after  when it is */
  onKey(before: () => void, after: () => void): void;
}

/** Follows a session from its first record on, and sends what is typed, until the user detaches or the session is closed. */
export async function attachSession(request: AttachRequest, streams: Streams): Promise<void> {
  const { keys, format } = request;
  // Where nobody knows what is being typed, the line would be painted over it.
  const hasStatus = streams.canErase === true && (request.lines === null || keys !== undefined) && format === "text";
  if (!hasStatus) return await follow(request, streams);
  const status = new TurnStatus(false);
  let isLive = false;
  let owner = await request.session.owner();
  // What an earlier process left open does not run.
  const shown = new StatusLines(streams, (nowMs, room) =>
    isLive && owner.type !== "none" && keys?.isEmpty() !== false ? status.lines(nowMs, room) : [],
  );
  // What is typed takes its place.
  keys?.onKey(
    () => shown.hide(),
    () => shown.changed(),
  );
  try {
    await follow(request, shown.streams, (frame) => {
      if (frame.type === "snapshot") status.opened(frame.snapshot);
      if (frame.type === "record") status.take(frame.event);
      if (frame.type === "live") isLive = true;
      if (frame.type === "owner") ({ owner } = frame);
      shown.changed();
    });
  } finally {
    shown.close();
  }
}

/** @param look  is given every frame first */
async function follow(request: AttachRequest, streams: Streams, look?: (frame: Frame) => void): Promise<void> {
  const attached = new Attached(request, streams);
  const frames = request.session.attach(0)[Symbol.asyncIterator]();
  const detach = (): void => void frames.return?.();
  request.signal.addEventListener("abort", detach, { once: true });
  attached.showOwner(await request.session.owner());
  void attached.write();
  if (request.signal.aborted) detach();
  for (;;) {
    const step = await frames.next();
    if (step.done === true) return;
    look?.(step.value);
    attached.show(step.value);
  }
}

const answerWord = "/answer";
/** Of the answer that holds in every session here; offered with the details. */
const forGood = 7;

/** What the rest of the line is run as: a command of the user's own, which no model asked for. A line that begins with a blank is words. */
const commandMark = "!";

class Attached {
  readonly #request: AttachRequest;
  readonly #streams: Streams;
  readonly #transcript = new SessionLines();
  #pending: readonly Interaction[] = [];
  /** Lines of an answer that takes more than one. */
  #given: readonly string[] = [];
  /** Questions whose details were shown: only then a yes can hold for good. */
  readonly #seen = new Set<string>();
  readonly #unfinished = new UnfinishedTurns();
  readonly #sent = new Set<TurnId>();
  #saidOfOwner = "";

  constructor(request: AttachRequest, streams: Streams) {
    this.#request = request;
    this.#streams = streams;
  }

  showOwner(owner: SessionOwner): void {
    const { id } = this.#request.session;
    const who =
      owner.type === "none"
        ? `It is read from the store: ${owner.reason}.${this.#unfinished.hint(id)}`
        : owner.type === "here"
          ? "This process writes to it."
          : `Process ${owner.processId} (${owner.frontend}) writes to it.`;
    if (who === this.#saidOfOwner) return;
    this.#saidOfOwner = who;
    this.#say(`Attached to session ${id}. ${who}`);
  }

  show(frame: Frame): void {
    if (this.#request.format === "stream-json") this.#showJson(frame);
    else this.#showText(frame);
    if (frame.type === "record") this.#note(frame.event.record);
  }

  /** Sends every line; one that cannot be sent is named, and the next is read. */
  async write(): Promise<void> {
    try {
      for await (const line of this.#request.lines ?? []) {
        if (line.trim() === "") continue;
        const submission = this.#submissionOf(line);
        if (submission !== null) this.#showReceipt(await this.#request.session.submit(submission));
      }
    } catch (error) {
      this.#say(`Nothing more can be sent: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Words are never an answer: who answers says so. */
  #submissionOf(line: string): Submission | null {
    const isAnswer = line === answerWord || line.startsWith(`${answerWord} `);
    if (isAnswer) return this.#answerOf(line.slice(answerWord.length).trim());
    const { delivery } = this.#request;
    const turnId = this.#request.newTurnId();
    if (line.startsWith(commandMark))
      return { type: "run-for-user", turnId, command: { script: line.slice(commandMark.length).trim() } };
    this.#sent.add(turnId);
    return { type: "user-input", turnId, content: userText(line), delivery };
  }

  #answerOf(text: string): Submission | null {
    const [interaction] = this.#pending;
    if (interaction === undefined) return this.#refuse("Nothing waits for an answer.");
    const given = [...this.#given, text];
    const read = readAnswer(interaction, given);
    this.#given = [];
    switch (read.type) {
      case "answer": {
        const isForGood = read.answer.type === "approve" && read.answer.scope === "always";
        if (isForGood && !this.#seen.has(interaction.id))
          return this.#refuse(`Look at all that it would allow first: ${answerWord} v. Nothing was answered.`);
        return { type: "answer", interactionId: interaction.id, answer: read.answer };
      }
      case "more":
        this.#given = given;
        return this.#refuse(`This takes another line: ${answerWord} WORDS`);
      case "view":
        return this.#showDetails(interaction);
      case "unclear":
        return this.#refuse(`${read.problem} Nothing was answered.`);
      default:
        return unreachable(read);
    }
  }

  #showJson(frame: Frame): void {
    const write = (value: object): void => this.#streams.result.write(`${jsonLine(value)}\n`);
    if (frame.type === "record") write({ ...frame.event.record, seq: frame.event.seq, at: frame.event.at });
    else if (frame.type === "live" || frame.type === "owner" || frame.type === "closed") write(frame);
  }

  #showText(frame: Frame): void {
    switch (frame.type) {
      case "record":
        for (const line of this.#transcript.lines(frame.event)) this.#streams.result.write(`${line}\n`);
        return;
      case "owner":
        return this.showOwner(frame.owner);
      case "closed":
        return this.#say(`The session was closed: ${frame.reason}.`);
      case "snapshot":
      case "live":
      case "presence":
        return;
      default:
        return unreachable(frame);
    }
  }

  #note(record: Extract<Frame, { type: "record" }>["event"]["record"]): void {
    this.#unfinished.take(record);
    if (record.type === "turn-queued" && this.#sent.has(record.turnId))
      this.#say("Queued: it is said when the turn under way has ended.");
    if (record.type === "interaction-resolved") {
      if (this.#pending[0]?.id === record.interactionId) this.#given = [];
      this.#pending = this.#pending.filter(({ id }) => id !== record.interactionId);
    }
    if (record.type !== "interaction-opened") return;
    this.#pending = [...this.#pending, record.interaction];
    if (this.#request.format === "stream-json" || !includesRole(this.#request.session.identity.role, "approve")) return;
    this.#showQuestion(record.interaction);
  }

  /** A call as short as a run asks about it; anything else whole. */
  #showQuestion({ request, ...rest }: Interaction): void {
    if (request.type !== "approval") {
      for (const line of interactionLines({ request, ...rest }, Date.now())) this.#say(line.text);
      return this.#say(`Answer with: ${answerWord} WORDS (\`${answerWord} v\` shows all of it).`);
    }
    const card = approvalCard(request);
    const choices = card.choices.filter(({ number, means }) => means.type !== "later" && number !== forGood);
    for (const line of typedApprovalLines({ ...card, choices })) this.#say(line.text);
    this.#say(`Answer with: ${answerWord} NUMBER (\`${answerWord} v\` shows all of it).`);
  }

  #showDetails(interaction: Interaction): null {
    const { request } = interaction;
    if (request.type !== "approval") return this.#refuse(JSON.stringify(request, null, 2));
    this.#seen.add(interaction.id);
    for (const line of interactionLines(interaction, Date.now())) this.#say(line.text);
    const always = approvalCard(request).choices.find(({ number }) => number === forGood);
    return always === undefined ? null : this.#refuse(`${always.number} ${always.label}`);
  }

  #showReceipt(receipt: Receipt): void {
    if (receipt.type === "accepted") return;
    const hint = receipt.hint === undefined ? "" : ` ${receipt.hint}`;
    this.#say(`Nothing changed: ${receipt.reason}. [${receipt.code}]${hint}`);
  }

  #refuse(text: string): null {
    this.#say(text);
    return null;
  }

  #say(text: string): void {
    this.#streams.progress.write(`${inertText(text)}\n`);
  }
}
