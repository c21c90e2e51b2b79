import { type ClientIdentity, type EngineClient, type SessionOwner, type SessionTarget } from "@capstan/protocol";
import type {
  NamedClient,
  OpenedSession,
  OpenParams,
  OperationId,
  Params,
  Result,
} from "../operations/operation-types.ts";
import { type EventLine, eventOf } from "../wire/event-line.ts";
import { problemOf } from "../wire/problem.ts";
import type { EventStreams } from "./event-streams.ts";
import { loweredIdentity } from "./lowered-identity.ts";
import { mapped } from "./mapped.ts";
import type { OpenSessions } from "./open-sessions.ts";

/** What the operations of one connection work on. */
export interface ConnectionParts {
  readonly engine: EngineClient;
  readonly sessions: OpenSessions;
  readonly streams: EventStreams;
  readonly version: string;
  /** Of the process that serves. */
  readonly processId: number;
  readonly frontend: string;
  readonly mayName: boolean;
  /** Who the client counts as by now. */
  identity: ClientIdentity;
  /** Sends an event that belongs to no stream. */
  notify(line: EventLine): void;
}

/** One request, for what goes beyond its parameters. */
export interface RequestContext {
  readonly id: string | null;
  /** Runs once the request is answered. */
  afterAnswer(action: () => void): void;
}

type Handler<Id extends OperationId> = (params: Params<Id>, request: RequestContext) => Promise<Result<Id>>;
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** What every operation does on a connection. */
export function handlersOf(parts: ConnectionParts): Handlers {
  return { ...engineHandlers(parts), ...sessionHandlers(parts), ...streamHandlers(parts) };
}

type EngineOperation =
  | "hello"
  | "sessions.list"
  | "sessions.resolve"
  | "sessions.read"
  | "sessions.history"
  | "sessions.create"
  | "sessions.open"
  | "sessions.fork"
  | "sessions.copy"
  | "sessions.delete"
  | "sessions.import"
  | "sessions.rewind"
  | "sessions.proposals"
  | "sessions.check"
  | "interactions.list"
  | "interactions.find"
  | "interactions.answer"
  | "grants.list"
  | "grants.revoke"
  | "facts.list"
  | "facts.remember"
  | "facts.change"
  | "facts.forget"
  | "trust.list"
  | "trust.answer"
  | "skills.list"
  | "config.get"
  | "doctor"
  | "problems.list"
  | "models.list";

function engineHandlers(parts: ConnectionParts): Pick<Handlers, EngineOperation> {
  const { engine } = parts;
  const named = (client: NamedClient = {}): ClientIdentity => loweredIdentity(parts.identity, client, parts.mayName);
  return {
    async hello(client) {
      parts.identity = named(client);
      return { name: "capstan", version: parts.version, protocol: 1, identity: parts.identity };
    },
    "sessions.list": async () => ({ sessions: await engine.sessions.list() }),
    "sessions.resolve": async ({ name }) => ({ sessionId: await engine.sessions.resolve(name) }),
    "sessions.read": async ({ sessionId, after, limit }) => ({
      events: await engine.sessions.read(sessionId, after, limit),
    }),
    "sessions.history": ({ sessionId, before, limit }) => engine.sessions.history(sessionId, before, limit),
    "sessions.create": ({ id, title, ...opening }) =>
      open(
        parts,
        { type: "new", ...(id === undefined ? {} : { id }), ...(title === undefined ? {} : { title }) },
        opening,
      ),
    "sessions.open": ({ sessionId, ...opening }) => open(parts, { type: "resume", id: sessionId }, opening),
    "sessions.fork": ({ sessionId, ...opening }) => open(parts, { type: "fork", id: sessionId }, opening),
    "sessions.copy": async ({ sessionId, identity }) => ({
      sessionId: await engine.sessions.copy(sessionId, named(identity)),
    }),
    async "sessions.delete"({ sessionId, identity }) {
      await engine.sessions.delete(sessionId, named(identity));
      return {};
    },
    "sessions.import": ({ identity, ...file }) => engine.sessions.import(file, named(identity)),
    "sessions.rewind": ({ sessionId, request, identity }) =>
      engine.sessions.rewind(sessionId, request, named(identity)),
    "sessions.proposals": ({ sessionId, request, identity }) =>
      engine.sessions.settleProposals(sessionId, request, named(identity)),
    "sessions.check": async ({ sessionId }) => ({ checks: await engine.sessions.check(sessionId) }),
    "interactions.list": async () => ({ entries: await engine.interactions.list() }),
    "interactions.find": async ({ name }) => ({ found: await engine.interactions.find(name) }),
    "interactions.answer": ({ sessionId, interactionId, answer, identity }) =>
      engine.interactions.answer({ sessionId, interactionId }, answer, named(identity)),
    "grants.list": async () => ({ grants: await engine.grants.list() }),
    "grants.revoke": async ({ grantId, identity }) => ({
      revoked: await engine.grants.revoke(grantId, named(identity)),
    }),
    "facts.list": async (query) => ({ facts: await engine.facts.list(query) }),
    "facts.remember": async ({ identity, ...words }) => ({ fact: await engine.facts.remember(words, named(identity)) }),
    "facts.change": async ({ factId, text, identity }) => ({
      changed: await engine.facts.change(factId, text, named(identity)),
    }),
    "facts.forget": async ({ factId, identity }) => ({
      forgotten: await engine.facts.forget(factId, named(identity)),
    }),
    "trust.list": async () => ({ questions: await engine.trust.questions() }),
    "trust.answer": async ({ answer, identity, ...question }) => ({
      counted: await engine.trust.answer(question, answer, named(identity)),
    }),
    "skills.list": async () => ({ skills: await engine.skills() }),
    "config.get": async () => ({ entries: await engine.config() }),
    doctor: async () => ({ checks: await engine.doctor() }),
    "problems.list": async ({ sessionId }) => ({ problems: await engine.problems(sessionId) }),
    "models.list": async () => ({ models: await engine.models() }),
  };
}

async function open(
  parts: ConnectionParts,
  target: SessionTarget,
  { identity = {}, ...opening }: OpenParams,
): Promise<OpenedSession> {
  const who = loweredIdentity(parts.identity, identity, parts.mayName);
  const { name, client } = await parts.sessions.open(target, who, opening);
  const sessionId = client.id;
  void client.fault.then((fault) => parts.notify({ event: "fault", sessionId, client: name, error: problemOf(fault) }));
  return { sessionId, client: name, identity: client.identity, recovery: client.recovery };
}

type SessionOperation =
  | "sessions.rename"
  | "sessions.close"
  | "submit"
  | "queue.change"
  | "snapshot"
  | "history"
  | "conversation"
  | "draft.read"
  | "draft.save"
  | "presence"
  | "owner"
  | "rewind.preview"
  | "context"
  | "files.find";

function sessionHandlers(parts: ConnectionParts): Pick<Handlers, SessionOperation> {
  const { sessions } = parts;
  const find = async (params: Params<"snapshot">) => (await sessions.find(params, parts.identity)).client;
  return {
    "sessions.rename": async ({ title, ...session }) => (await find(session)).submit({ type: "title", title }),
    async "sessions.close"(session) {
      // Its attachments end by themselves, and say so.
      await sessions.take(session)?.client.close();
      return {};
    },
    submit: async ({ submission, ...session }) => (await find(session)).submit(submission),
    "queue.change": async ({ turnId, change, ...session }) =>
      (await find(session)).submit({ type: "queue-change", turnId, change }),
    snapshot: async (session) => ({ snapshot: await (await find(session)).snapshot() }),
    conversation: async ({ before, limit, ...session }) => (await find(session)).conversation(before, limit),
    history: async ({ before, limit, ...session }) => (await find(session)).history(before, limit),
    "draft.read": async (session) => ({ draft: await (await find(session)).draft() }),
    async "draft.save"({ text, ...session }) {
      await (await find(session)).saveDraft(text);
      return {};
    },
    presence: async (session) => ({ present: await (await find(session)).presence() }),
    owner: async (session) => ({ owner: fromOutside(await (await find(session)).owner(), parts) }),
    "rewind.preview": async ({ keepTurns, ...session }) => (await find(session)).previewRewind(keepTurns),
    context: async (session) => ({ context: await (await find(session)).context() }),
    "files.find": async ({ text, limit, ...session }) => (await find(session)).findFiles(text, limit),
  };
}

type StreamOperation = "sessions.watch" | "sessions.export" | "interactions.watch" | "attach" | "taken" | "detach";

function streamHandlers(parts: ConnectionParts): Pick<Handlers, StreamOperation> {
  const { engine, sessions, streams } = parts;
  return {
    "sessions.watch": async (_none, request) => {
      const stream = request.id ?? "";
      const events = mapped(engine.sessions.watch(), (list): EventLine => ({
        event: "sessions",
        stream,
        sessions: list,
      }));
      request.afterAnswer(streams.open(request.id, { events, window: undefined }));
      return { stream };
    },
    "sessions.export": async ({ sessionId, exact, window, identity }, request) => {
      const stream = request.id ?? "";
      const who = loweredIdentity(parts.identity, identity ?? {}, parts.mayName);
      const events = mapped(engine.sessions.export(sessionId, { exact }, who), (text): EventLine => ({
        event: "line",
        stream,
        text,
      }));
      request.afterAnswer(streams.open(request.id, { events, window }));
      return { stream };
    },
    "interactions.watch": async (_none, request) => {
      const stream = request.id ?? "";
      const events = mapped(engine.interactions.watch(), (entries): EventLine => ({
        event: "interactions",
        stream,
        entries,
      }));
      request.afterAnswer(streams.open(request.id, { events, window: undefined }));
      return { stream };
    },
    attach: async ({ after, window, ...session }, request) => {
      const stream = request.id ?? "";
      const { client } = await sessions.find(session, parts.identity);
      const sessionId = client.id;
      const events = mapped(client.attach(after), (frame) =>
        eventOf(
          stream,
          sessionId,
          frame.type === "owner" ? { ...frame, owner: fromOutside(frame.owner, parts) } : frame,
        ),
      );
      request.afterAnswer(streams.open(request.id, { events, window }, sessionId));
      return { stream };
    },
    async taken({ stream, characters }) {
      streams.taken(stream, characters);
      return {};
    },
    async detach({ stream, sessionId }) {
      if (stream !== undefined) streams.end(stream);
      if (sessionId !== undefined) streams.endAttachments(sessionId);
      return {};
    },
  };
}

/** The owner as the client sees it: what is here is another process to it. */
function fromOutside(owner: SessionOwner, { processId, frontend }: ConnectionParts): SessionOwner {
  return owner.type === "here" ? { type: "process", processId, frontend } : owner;
}
