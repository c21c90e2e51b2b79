import type { Clock, HeldLease, LeaseOwner, SessionStore } from "@capstan/ports";
import { AppError, type SessionId } from "@capstan/protocol";
import { bootTimeMs, lookFor, processIdentity } from "@capstan/storage";

/** How often an owner says that it lives. */
const beatIntervalMs = 5_000;

/** An owner that was silent for so long is lost: stopped, hung, or out of sight. Several beats, so that a busy moment costs nothing. */
const silenceLimitMs = 30_000;

export interface LeaseRequest {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly sessionId: SessionId;
  /** Unique for this opening. */
  readonly id: string;
  readonly frontend: string;
}

/** The right to write to a session, held by this process until it is given back, or until another has taken it over. */
export class SessionLease {
  readonly generation: number;
  readonly #request: LeaseRequest;
  #cancelBeat: (() => void) | undefined;
  #onLost: (fault: AppError) => void = () => undefined;
  #onRelease: () => void = () => undefined;

  private constructor(request: LeaseRequest, generation: number) {
    this.#request = request;
    this.generation = generation;
    this.#waitForBeat();
  }

  /** @throws {AppError} `session.busy` when another process writes to the session */
  static async claim(request: LeaseRequest): Promise<SessionLease> {
    const { store, clock, sessionId, id, frontend } = request;
    const owner: LeaseOwner = { ...processIdentity(), id, frontend };
    const claim = { owner, beatMs: bootTimeMs(), at: clock.now(), isGone };
    const answer = await store.claim(sessionId, claim);
    if (answer.type === "held") throw heldBy(sessionId, answer.holder);
    return new SessionLease(request, answer.generation);
  }

  /** Notifies, once, when somebody else has become the writer. */
  onLost(notify: (fault: AppError) => void): void {
    this.#onLost = notify;
  }

  async confirm(): Promise<boolean> {
    const { store, sessionId } = this.#request;
    const isHeld = await store.renew(sessionId, this.generation, bootTimeMs());
    if (!isHeld) this.#onLost(takenOver(sessionId));
    return isHeld;
  }

  /** Notifies when it is being given back. */
  onRelease(notify: () => void): void {
    this.#onRelease = notify;
  }

  async release(): Promise<void> {
    this.#onRelease();
    this.#cancelBeat?.();
    await this.#request.store.release(this.#request.sessionId, this.generation);
  }

  #waitForBeat(): void {
    this.#cancelBeat = this.#request.clock.after(beatIntervalMs, () => {
      void this.#beat();
    });
  }

  async #beat(): Promise<void> {
    try {
      if (!(await this.confirm())) return;
    } catch {
      // A disk that is full or locked: the next append reports it, with its reason.
    }
    this.#waitForBeat();
  }
}

/** Whether a holder no longer counts. */
function isGone({ owner, beatMs }: HeldLease): boolean {
  const silentMs = bootTimeMs() - beatMs;
  switch (lookFor(owner)) {
    case "gone":
      return true;
    case "running":
    case "unknown":
      return silentMs > silenceLimitMs;
  }
}

/** What a user needs to know who finds a session in use. */
function heldBy(sessionId: SessionId, { owner, claimedAt }: HeldLease): AppError {
  const since = new Date(claimedAt).toISOString().slice(0, 19).replace("T", " ");
  return new AppError(
    "session.busy",
    `session ${sessionId} is open already (${owner.frontend}, process ${owner.processId}, since ${since} UTC)`,
    {
      hint: `Wait until it ends, continue in a copy with --fork-session, or read along with \`capstan sessions show ${sessionId} --follow\`.`,
    },
  );
}

function takenOver(sessionId: SessionId): AppError {
  return new AppError(
    "session.busy",
    `session ${sessionId} was taken over by another process while this one was stopped`,
    {
      hint: "Everything up to then is kept. Resume the session when the other process has ended.",
    },
  );
}
