import {
  type AppError,
  type Check,
  type FileProblem,
  type SessionId,
  type ClientIdentity,
  type ConfigEntry,
  type EngineClient,
  type FactsClient,
  type GrantsClient,
  type InteractionsClient,
  type ModelEntry,
  type OpenOptions,
  type SessionsClient,
  type SessionTarget,
  type Skill,
  toTurnId,
  type TrustClient,
  type TurnId,
  unreachable,
} from "@capstan/protocol";
import type { LineChannel } from "../channel/line-channel.ts";
import { mintedIdCharacters } from "../limits.ts";
import type { NamedClient, OpenedSession, OpenParams } from "../operations/operation-types.ts";
import type { EventLine } from "../wire/event-line.ts";
import { errorOf } from "../wire/problem.ts";
import { LinePeer } from "./line-peer.ts";
import { factsOf, grantsOf, interactionsOf, sessionsOf, trustOf } from "./remote-lists.ts";
import { RemoteSession } from "./remote-session.ts";

/** The engine of another process. */
export class RemoteEngine implements EngineClient {
  readonly #peer: LinePeer;
  readonly #faults: Faults;
  readonly #identity: ClientIdentity;
  readonly sessions: SessionsClient;
  readonly interactions: InteractionsClient;
  readonly grants: GrantsClient;
  readonly facts: FactsClient;
  readonly trust: TrustClient;

  private constructor(peer: LinePeer, faults: Faults, identity: ClientIdentity) {
    this.#peer = peer;
    this.#faults = faults;
    this.#identity = identity;
    this.sessions = sessionsOf(peer);
    this.interactions = interactionsOf(peer);
    this.grants = grantsOf(peer);
    this.facts = factsOf(peer);
    this.trust = trustOf(peer);
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

  async skills(): Promise<readonly Skill[]> {
    return (await this.#peer.request("skills.list", {})).skills;
  }

  async config(): Promise<readonly ConfigEntry[]> {
    return (await this.#peer.request("config.get", {})).entries;
  }

  async doctor(): Promise<readonly Check[]> {
    return (await this.#peer.request("doctor", {})).checks;
  }

  async problems(sessionId: SessionId): Promise<readonly FileProblem[] | null> {
    return (await this.#peer.request("problems.list", { sessionId })).problems;
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
