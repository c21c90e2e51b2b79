import { type ClientIdentity, type EngineClient, includesRole, type SessionClient } from "@capstan/protocol";
import type { LineChannel, ReceivedLine } from "../channel/line-channel.ts";
import { maxRequestsInFlight } from "../limits.ts";
import type { OperationId } from "../operations/operation-types.ts";
import { operations } from "../operations/operations.ts";
import { type Problem, problem, problemOf } from "../wire/problem.ts";
import { checkParams, readRequest, type ReadRequest } from "../wire/request-line.ts";
import { EventStreams } from "./event-streams.ts";
import { type ConnectionParts, type Handlers, handlersOf } from "./handlers.ts";
import { OpenSessions } from "./open-sessions.ts";
import { untilAtRest } from "./until-at-rest.ts";

export interface ServeOptions {
  /** Who the client counts as, as whoever accepted the channel knows it. A client can only lower its role. */
  readonly identity: ClientIdentity;
  /** Whether the client may name its frontend, and its user where the identity has none. */
  readonly mayName: boolean;
  /** The frontend of this process, as the client sees the owner of a session; the client's own when left out. */
  readonly owner?: string;
  readonly version: string;
  /** Of this process. */
  readonly processId: number;
  /** What happens when the client sends nothing more: its sessions are given back (the default), or first the turns that run there end. */
  atEnd?(): "detach" | "finish-turns";
}

/**
 * Serves one client of an engine over a channel. Total: whatever the client sends is answered, with an error where it cannot be carried
 * out, and the connection lives on.
 * @returns when the connection has ended and what it held is given back; never throws
 */
export async function serveEngine(engine: EngineClient, channel: LineChannel, options: ServeOptions): Promise<void> {
  await new Connection(engine, channel, options).run();
}

class Connection {
  readonly #channel: LineChannel;
  readonly #options: ServeOptions;
  readonly #parts: ConnectionParts;
  readonly #handlers: Handlers;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(engine: EngineClient, channel: LineChannel, options: ServeOptions) {
    const { identity, mayName, version, processId, owner = identity.frontend } = options;
    this.#channel = channel;
    this.#options = options;
    this.#parts = {
      engine,
      identity,
      mayName,
      version,
      processId,
      frontend: owner,
      sessions: new OpenSessions(engine),
      streams: new EventStreams(channel),
      notify: (line) => void this.#send(line),
    };
    this.#handlers = handlersOf(this.#parts);
  }

  async run(): Promise<void> {
    for await (const received of this.#channel.lines) await this.#receive(received);
    const { sessions, streams } = this.#parts;
    if (this.#options.atEnd?.() === "finish-turns") {
      await Promise.all(this.#inFlight);
      streams.widen();
      await Promise.allSettled(sessions.all().map(({ client }) => this.#finish(client)));
    }
    streams.endAll();
    await Promise.all(this.#inFlight);
    await sessions.closeAll();
    await this.#channel.close();
  }

  /** Nothing runs there any more, and what is attached has learned it. */
  async #finish(client: SessionClient): Promise<void> {
    await this.#parts.streams.untilSent(client.id, await untilAtRest(client));
  }

  /** Resolves when the next line may be read: what is refused is answered first, so that a flood waits for its reader. */
  async #receive(received: ReceivedLine): Promise<void> {
    if (received.type === "refused") return this.#refuse(null, problem("door.schema", received.reason));
    const read = readRequest(received.text);
    if (read.type === "refused") return this.#refuse(read.id, read.problem);
    if (this.#inFlight.size >= maxRequestsInFlight) {
      const text = `at most ${maxRequestsInFlight} requests can be under way at once`;
      return this.#refuse(read.id, problem("door.rate", text, "Wait for an answer, then send it again."));
    }
    const work = this.#carryOut(read);
    this.#inFlight.add(work);
    void work.finally(() => this.#inFlight.delete(work));
  }

  async #carryOut({ id, op, params }: Extract<ReadRequest, { type: "request" }>): Promise<void> {
    const actions: (() => void)[] = [];
    try {
      const result = await this.#perform(op, params, { id, afterAnswer: (action) => void actions.push(action) });
      if ("problem" in result) return await this.#refuse(id, result.problem);
      if (id !== null) await this.#send({ id, ok: true, result: result.value });
    } catch (error) {
      await this.#refuse(id, problemOf(error));
    }
    for (const action of actions) action();
  }

  async #perform<Id extends OperationId>(
    op: Id,
    raw: unknown,
    request: Parameters<Handlers[Id]>[1],
  ): Promise<{ readonly value: unknown } | { readonly problem: Problem }> {
    const { role } = operations[op];
    const own = this.#parts.identity.role;
    if (!includesRole(own, role))
      return { problem: problem("door.role", `${op} needs the role ${role}; this client has ${own}`) };
    const checked = checkParams(op, raw);
    if (checked.type === "refused") return { problem: checked.problem };
    return { value: await this.#handlers[op](checked.params, request) };
  }

  async #refuse(id: string | null, error: Problem): Promise<void> {
    await this.#send({ id, ok: false, error });
  }

  /** A channel that has ended notifies nobody. */
  async #send(line: object): Promise<void> {
    await this.#channel.send(JSON.stringify(line)).catch(() => undefined);
  }
}
