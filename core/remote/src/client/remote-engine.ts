import {
  type AppError,
  type ClientIdentity,
  type EngineClient,
  type Grant,
  type GrantsClient,
  type InboxEntry,
  type InteractionsClient,
  type ModelEntry,
  type OpenOptions,
  type SessionsClient,
  type SessionSummary,
  type SessionTarget,
  toTurnId,
  type TurnId,
  unreachable,
} from "@capstan/protocol";
import type { LineChannel } from "../channel/line-channel.ts";
import { mintedIdCharacters } from "../limits.ts";
import type { NamedClient, OpenedSession, OpenParams } from "../operations/operation-types.ts";
import type { EventLine } from "../wire/event-line.ts";
import { errorOf } from "../wire/problem.ts";
import { askedFor } from "./asked-for.ts";
import { LinePeer } from "./line-peer.ts";
import { pulledStream } from "./pulled-stream.ts";
import { RemoteSession } from "./remote-session.ts";

/** The engine of another process. */
export class RemoteEngine implements EngineClient {
  readonly #peer: LinePeer;
  readonly #faults: Faults;
  readonly #identity: ClientIdentity;
  readonly sessions: SessionsClient;
  readonly interactions: InteractionsClient;
  readonly grants: GrantsClient;

  private constructor(peer: LinePeer, faults: Faults, identity: ClientIdentity) {
    this.#peer = peer;
    this.#faults = faults;
    this.#identity = identity;
    this.sessions = sessionsOf(peer);
    this.interactions = interactionsOf(peer);
    this.grants = grantsOf(peer);
  }

  /**
   * @param named  what this client says of itself
   * @throws AppError `remote.*`, `door.role`
   */
  static async connect(channel: LineChannel, named: NamedClient = {}): Promise<RemoteEngine> {
    const faults = new Faults();
    const peer = new LinePeer(channel, (line) => faults.take(line));
    try {
      const { identity } = await peer.request("hello", named);
      return new RemoteEngine(peer, faults, identity);
    } catch (error) {
      await peer.close();
      throw error;
    }
  }

  /** Who this client counts as at the other side. */
  get identity(): ClientIdentity {
    return this.#identity;
  }

  /** Resolves when the connection has ended. */
  get closed(): Promise<AppError> {
    return this.#peer.closed;
  }

  async open(target: SessionTarget, options: OpenOptions): Promise<RemoteSession> {
    const opened = await this.#open(target, paramsOf(options));
    return new RemoteSession(this.#peer, opened, this.#faults.of(opened.client));
  }

  async models(): Promise<readonly ModelEntry[]> {
    return (await this.#peer.request("models.list", {})).models;
  }

  newTurnId(): TurnId {
    return toTurnId(mintId());
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  async #open(target: SessionTarget, params: OpenParams): Promise<OpenedSession> {
    switch (target.type) {
      case "new": {
        const { id, title } = target;
        return this.#peer.request("sessions.create", {
          ...params,
          ...(id === undefined ? {} : { id }),
          ...(title === undefined ? {} : { title }),
        });
      }
      case "resume":
        return this.#peer.request("sessions.open", { ...params, sessionId: target.id });
      case "fork":
        return this.#peer.request("sessions.fork", { ...params, sessionId: target.id });
      default:
        return unreachable(target);
    }
  }
}

function paramsOf({ identity, purpose, resume }: OpenOptions): OpenParams {
  return { identity: { ...identity }, purpose, ...(resume === undefined ? {} : { resume }) };
}

function sessionsOf(peer: LinePeer): SessionsClient {
  return {
    list: async () => (await peer.request("sessions.list", {})).sessions,
    watch: () =>
      pulledStream<readonly SessionSummary[]>(peer, {
        begin: (listener) => peer.begin("sessions.watch", {}, listener),
        read: (line) => (line.event === "sessions" ? line.sessions : undefined),
        lost: () => undefined,
      }),
    read: async (sessionId, after, limit) =>
      (await peer.request("sessions.read", { sessionId, after, ...(limit === undefined ? {} : { limit }) })).events,
    resolve: async (name) => (await peer.request("sessions.resolve", { name })).sessionId,
    async delete(sessionId) {
      await peer.request("sessions.delete", { sessionId });
    },
  };
}

function interactionsOf(peer: LinePeer): InteractionsClient {
  return {
    list: async () => (await peer.request("interactions.list", {})).entries,
    watch: () =>
      pulledStream<readonly InboxEntry[]>(peer, {
        begin: (listener) => peer.begin("interactions.watch", {}, listener),
        read: (line) => (line.event === "interactions" ? line.entries : undefined),
        lost: () => undefined,
      }),
    answer: ({ sessionId, interactionId }, answer, identity) =>
      askedFor(peer.request("interactions.answer", { sessionId, interactionId, answer, identity: { ...identity } })),
  };
}

function grantsOf(peer: LinePeer): GrantsClient {
  return {
    list: async (): Promise<readonly Grant[]> => (await peer.request("grants.list", {})).grants,
    revoke: async (grantId, identity) =>
      (await peer.request("grants.revoke", { grantId, identity: { ...identity } })).revoked,
  };
}

/** Faults of openings, also of those that are reported before the opening is answered. */
class Faults {
  readonly #known = new Map<string, AppError>();
  readonly #waiting = new Map<string, (fault: AppError) => void>();

  take(line: EventLine): void {
    if (line.event !== "fault") return;
    const fault = errorOf(line.error);
    const resolve = this.#waiting.get(line.client);
    this.#waiting.delete(line.client);
    if (resolve === undefined) this.#known.set(line.client, fault);
    else resolve(fault);
  }

  of(client: string): Promise<AppError> {
    const known = this.#known.get(client);
    this.#known.delete(client);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => {
      this.#waiting.set(client, resolve);
    });
  }
}

const digits = "0123456789abcdefghijklmnopqrstuvwxyz";

function mintId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(mintedIdCharacters));
  return Array.from(bytes, (byte) => digits[byte % digits.length]).join("");
}
