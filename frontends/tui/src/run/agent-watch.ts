import type { ClientIdentity, EngineClient, SessionId, SessionSummary } from "@capstan/protocol";
import { inertLine, itemAt, type Transcript } from "@capstan/view";
import type { ShownAgent } from "../panes/agent-rows.ts";
import { FollowedSession } from "./followed-session.ts";

const nameCharacters = 40;
const taskCharacters = 200;
/** Agents that are followed at once; the list has all. */
const mostFollowed = 16;

/** Follows the sessions of a session's agents while they work. A session whose turn calls none costs nothing. */
export class AgentWatch {
  readonly #engine: EngineClient;
  readonly #identity: ClientIdentity;
  readonly #changed: () => void;
  readonly #followed = new Map<SessionId, Followed>();
  /** Of the calls under way and what they printed, when the sessions were looked up last. */
  #seen = "";
  #isLooking = false;
  #isClosed = false;

  constructor(engine: EngineClient, identity: ClientIdentity, changed: () => void) {
    this.#engine = engine;
    this.#identity = identity;
    this.#changed = changed;
  }

  /** Those at work, in the order in which they began. @param now  ms since 1970 */
  shown(now: number): readonly ShownAgent[] {
    return [...this.#followed.values()]
      .filter(({ session }) => session.openTurn !== null)
      .map(({ name, task, session }) => ({ name, task, status: session.status(now) }));
  }

  /** The caller's transcript has changed. */
  update(caller: SessionId, transcript: Transcript): void {
    const calls = delegating(transcript);
    if (calls.length === 0) {
      for (const [id, { session }] of this.#followed) if (session.openTurn === null) this.#leave(id);
      this.#seen = "";
      return;
    }
    // Until each call has its session, whatever a call prints is a reason to look again.
    const seen = calls.map(({ id, output }) => (this.#followed.size < calls.length ? `${id}${output.length}` : id));
    if (seen.join() === this.#seen || this.#isLooking) return;
    this.#seen = seen.join();
    void this.#look(caller);
  }

  close(): void {
    this.#isClosed = true;
    this.#leaveAll();
  }

  async #look(caller: SessionId): Promise<void> {
    this.#isLooking = true;
    try {
      const found = agentsOf(await this.#engine.sessions.list(), caller).filter(
        ({ id, lastOutcome }) => lastOutcome === undefined && !this.#followed.has(id),
      );
      for (const summary of found.slice(0, mostFollowed - this.#followed.size)) await this.#follow(summary);
    } catch {
      // It ended between the two: its call says how.
    } finally {
      this.#isLooking = false;
      this.#changed();
    }
  }

  async #follow({ id, title, spawnedBy }: SessionSummary): Promise<void> {
    const session = await FollowedSession.open(
      this.#engine,
      { type: "resume", id },
      { identity: this.#identity, purpose: "watch", resume: "wait" },
      { changed: this.#changed, record: () => undefined, closed: () => this.#leave(id) },
    );
    if (this.#isClosed) return await session.close();
    const name = inertLine(spawnedBy?.agent ?? "agent", nameCharacters);
    this.#followed.set(id, { name, task: inertLine(title, taskCharacters), session });
    void session.follow();
  }

  #leave(id: SessionId): void {
    const followed = this.#followed.get(id);
    this.#followed.delete(id);
    void followed?.session.close().catch(() => undefined);
    this.#changed();
  }

  #leaveAll(): void {
    for (const id of this.#followed.keys()) this.#leave(id);
  }
}

interface Followed {
  readonly name: string;
  readonly task: string;
  readonly session: FollowedSession;
}

/** The sessions that work for a session, and those that work for them, in the order in which they began. */
export function agentsOf(sessions: readonly SessionSummary[], caller: SessionId): readonly SessionSummary[] {
  const callers = new Set<SessionId>([caller]);
  const byAge = sessions.toSorted((one, other) => one.createdAt - other.createdAt);
  return byAge.filter(({ id, spawnedBy }) => {
    if (spawnedBy === undefined || !callers.has(spawnedBy.sessionId)) return false;
    callers.add(id);
    return true;
  });
}

/** Calls under way that hand work to an agent, and those whose agent works in the background. */
function delegating({ work, cells }: Transcript): readonly { readonly id: string; readonly output: string }[] {
  return work.calls.flatMap(({ cell: place }) => {
    const cell = itemAt(cells, place);
    if (cell?.type !== "call" || cell.effect !== "delegate") return [];
    if (cell.state.type === "running") return [{ id: cell.callId, output: cell.state.output }];
    return isBackground(cell.summary) ? [{ id: cell.callId, output: "" }] : [];
  });
}

/** As `spawn_agent` words what it will do. */
function isBackground(summary: string): boolean {
  return /^agent \S+ in the background: /.test(summary);
}
