import type {
  ConversationPage,
  AppError,
  ClientIdentity,
  Draft,
  FoundFiles,
  Frame,
  HistoryPage,
  Presence,
  Receipt,
  RecoveryReport,
  RewindPreview,
  SessionClient,
  SessionId,
  SessionOwner,
  SessionSnapshot,
  Submission,
  ContextReport,
} from "@capstan/protocol";
import { streamWindowCharacters } from "../limits.ts";
import type { InSession, OpenedSession } from "../operations/operation-types.ts";
import { frameOf } from "../wire/event-line.ts";
import type { LinePeer } from "./line-peer.ts";
import { askedFor } from "./asked-for.ts";
import { pulledStream } from "./pulled-stream.ts";

/** A session of an engine in another process. */
export class RemoteSession implements SessionClient {
  readonly id: SessionId;
  readonly identity: ClientIdentity;
  #recovery: RecoveryReport;
  readonly fault: Promise<AppError>;
  readonly #peer: LinePeer;
  readonly #place: InSession;

  /** @param fault  of this opening, as the server reports it */
  constructor(peer: LinePeer, opened: OpenedSession, fault: Promise<AppError>) {
    this.id = opened.sessionId;
    this.identity = opened.identity;
    this.#recovery = opened.recovery;
    this.fault = fault;
    this.#peer = peer;
    this.#place = { sessionId: opened.sessionId, client: opened.client };
  }

  get recovery(): RecoveryReport {
    return this.#recovery;
  }

  attach(after: number): AsyncIterable<Frame> {
    return pulledStream<Frame>(this.#peer, {
      begin: (listener) =>
        this.#peer.begin("attach", { ...this.#place, after, window: streamWindowCharacters }, listener),
      read: frameOf,
      lost: ({ message }) => ({ type: "closed", reason: message }),
    });
  }

  async submit(submission: Submission): Promise<Receipt> {
    const receipt = await askedFor(this.#peer.request("submit", { ...this.#place, submission }));
    if (submission.type === "resume" && receipt.type === "accepted")
      this.#recovery = { after: this.#recovery.after, waits: false };
    return receipt;
  }

  async snapshot(): Promise<SessionSnapshot> {
    return (await this.#peer.request("snapshot", this.#place)).snapshot;
  }

  async conversation(before: number | null, limit: number): Promise<ConversationPage> {
    return this.#peer.request("conversation", { ...this.#place, before, limit });
  }

  async history(before: number | null, limit: number): Promise<HistoryPage> {
    return this.#peer.request("history", { ...this.#place, before, limit });
  }

  async draft(): Promise<Draft | null> {
    return (await this.#peer.request("draft.read", this.#place)).draft;
  }

  async saveDraft(text: string | null): Promise<void> {
    await this.#peer.request("draft.save", { ...this.#place, text });
  }

  async presence(): Promise<readonly Presence[]> {
    return (await this.#peer.request("presence", this.#place)).present;
  }

  async owner(): Promise<SessionOwner> {
    return (await this.#peer.request("owner", this.#place)).owner;
  }

  previewRewind(keepTurns: number): Promise<RewindPreview> {
    return this.#peer.request("rewind.preview", { ...this.#place, keepTurns });
  }

  async context(): Promise<ContextReport | null> {
    return (await this.#peer.request("context", this.#place)).context;
  }

  findFiles(text: string, limit: number): Promise<FoundFiles> {
    return this.#peer.request("files.find", { ...this.#place, text, limit });
  }

  /** Nothing is left to give back where the connection has ended: the server has done so. */
  async close(): Promise<void> {
    await this.#peer.request("sessions.close", this.#place).catch(() => undefined);
  }
}
