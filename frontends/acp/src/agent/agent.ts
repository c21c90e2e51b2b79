import {
  AppError,
  type ClientIdentity,
  type SessionClient,
  type SessionTarget,
  toSessionId,
  type TurnId,
} from "@capstan/protocol";
import { Fields } from "../params/fields.ts";
import { readPrompt } from "../params/prompt-content.ts";
import { readPlace, type SessionPlace } from "../params/session-place.ts";
import { invalidParams, RpcError, rpcCodes } from "../peer/rpc-error.ts";
import type { RpcId } from "../peer/rpc-message.ts";
import type { Answer, RpcHandlers, RpcPeer } from "../peer/rpc-peer.ts";
import { AcpSession } from "../session/acp-session.ts";
import type { EnginePlace, EnginePlaces } from "../session/engine-place.ts";
import { modeNamed, patchOf } from "../session/settings-options.ts";
import type { ClientFeatures } from "../updates/said.ts";
import { environmentMethodId, featuresOf, greeting, noFeatures } from "./capabilities.ts";
import { HeldSessions } from "./held-sessions.ts";
import { realPath, sessionPage } from "./session-list.ts";

export interface AgentOptions {
  readonly places: EnginePlaces;
  readonly identity: ClientIdentity;
  readonly version: string;
}

type Method = (params: Fields, id: RpcId) => Promise<Answer>;

/** What the protocol's methods mean here. */
export class Agent implements RpcHandlers {
  readonly #options: AgentOptions;
  readonly #sessions = new HeldSessions();
  readonly #methods: ReadonlyMap<string, Method>;
  /** Prompts that are under way, by the ids of their requests. */
  readonly #prompts = new Map<RpcId, () => void>();
  #peer: RpcPeer | undefined;
  #features: ClientFeatures = noFeatures;
  #isInitialized = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#methods = new Map<string, Method>([
      ["initialize", (params) => this.#initialize(params)],
      ["authenticate", (params) => this.#authenticate(params)],
      ["session/new", (params) => this.#new(params)],
      ["session/load", (params) => this.#reopen(params, true)],
      ["session/resume", (params) => this.#reopen(params, false)],
      ["session/fork", (params) => this.#fork(params)],
      ["session/list", (params) => this.#list(params)],
      ["session/delete", (params) => this.#delete(params)],
      ["session/close", (params) => this.#close(params)],
      ["session/prompt", (params, id) => this.#prompt(params, id)],
      ["session/set_mode", (params) => this.#setMode(params)],
      ["session/set_config_option", (params) => this.#setOption(params)],
    ]);
  }

  /** The connection that it speaks through. */
  connect(peer: RpcPeer): void {
    this.#peer = peer;
  }

  async request(name: string, params: unknown, id: RpcId): Promise<Answer> {
    const method = this.#methods.get(name);
    if (method === undefined) throw new RpcError(rpcCodes.unknownMethod, `there is no method ${JSON.stringify(name)}`);
    if (name === "initialize") this.#isInitialized = true;
    if (!this.#isInitialized) throw new RpcError(rpcCodes.invalidRequest, "`initialize` comes first");
    return await method(new Fields(params ?? {}), id);
  }

  notification(name: string, params: unknown): void {
    void this.#notified(name, params).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#sessions.closeAll();
  }

  async #notified(name: string, params: unknown): Promise<void> {
    if (name === "session/cancel") await this.#sessions.find(new Fields(params).text("sessionId"))?.cancel();
    if (name !== "$/cancel_request") return;
    const fields = new Fields(params);
    this.#prompts.get(fields.idOf("requestId"))?.();
  }

  async #initialize(params: Fields): Promise<Answer> {
    params.integer("protocolVersion");
    this.#features = featuresOf(params);
    return { result: greeting(this.#options.version, this.#features) };
  }

  /** Keys come from the environment: what can be said is whether they are there. */
  async #authenticate(params: Fields): Promise<Answer> {
    const methodId = params.text("methodId");
    if (methodId !== environmentMethodId)
      throw invalidParams(`params.methodId: there is no method ${JSON.stringify(methodId)} to authenticate here`);
    await (await this.#options.places.anywhere()).models();
    return { result: {} };
  }

  async #new(params: Fields): Promise<Answer> {
    this.#sessions.requireRoom();
    const place = await this.#options.places.at(readPlace(params));
    const session = await this.#open(place, { type: "new" });
    await session.replay(false);
    return { result: { sessionId: session.id, ...(await session.state()) }, after: () => session.begin() };
  }

  async #reopen(params: Fields, isShown: boolean): Promise<Answer> {
    const id = toSessionId(params.text("sessionId"));
    const where = readPlace(params);
    await this.#requirePlace(id, where);
    const place = await this.#options.places.at(where);
    const before = this.#sessions.find(id);
    if (before !== undefined) {
      this.#sessions.remove(before);
      await before.detach();
    }
    this.#sessions.requireRoom();
    const session = await this.#open(place, { type: "resume", id });
    await session.replay(isShown);
    return { result: await session.state(), after: () => session.begin() };
  }

  async #fork(params: Fields): Promise<Answer> {
    const id = toSessionId(params.text("sessionId"));
    const where = readPlace(params);
    await this.#requirePlace(id, where);
    this.#sessions.requireRoom();
    const session = await this.#open(await this.#options.places.at(where), { type: "fork", id });
    await session.replay(false);
    return { result: { sessionId: session.id, ...(await session.state()) }, after: () => session.begin() };
  }

  async #open(place: EnginePlace, target: SessionTarget): Promise<AcpSession> {
    const { identity } = this.#options;
    const client: SessionClient = await place.engine.open(target, { identity, purpose: "drive", resume: "wait" });
    const peer = this.#peer;
    if (peer === undefined) throw new AppError("internal.bug", "a session was opened before there is a connection");
    const session: AcpSession = new AcpSession({
      peer,
      client,
      place,
      features: this.#features,
      onClosed: () => this.#sessions.remove(session),
    });
    this.#sessions.add(session);
    return session;
  }

  /** A session stays where it works. @throws AppError `session.unknown`; RpcError naming both directories */
  async #requirePlace(id: string, { cwd }: SessionPlace): Promise<void> {
    const engine = await this.#options.places.anywhere();
    const found = (await engine.sessions.list()).find((session) => session.id === id);
    if (found === undefined) throw new AppError("session.unknown", `there is no session ${JSON.stringify(id)}`);
    if (found.cwd !== realPath(cwd))
      throw invalidParams(`params.cwd: the session works in ${found.cwd}, and not in ${cwd}`);
  }

  async #list(params: Fields): Promise<Answer> {
    const engine = await this.#options.places.anywhere();
    const sessions = await engine.sessions.list();
    return { result: sessionPage(sessions, params.optionalPath("cwd"), params.optionalText("cursor")) };
  }

  async #delete(params: Fields): Promise<Answer> {
    const id = toSessionId(params.text("sessionId"));
    const open = this.#sessions.find(id);
    if (open !== undefined) await this.#leave(open);
    await (await this.#options.places.anywhere()).sessions.delete(id, this.#options.identity);
    return { result: {} };
  }

  async #close(params: Fields): Promise<Answer> {
    await this.#leave(this.#sessions.get(params.text("sessionId")));
    return { result: {} };
  }

  /** What this client asked for is cancelled; the session itself lives, and others may continue with it. */
  async #leave(session: AcpSession): Promise<void> {
    this.#sessions.remove(session);
    await session.cancelOwn();
    await session.detach();
  }

  async #prompt(params: Fields, id: RpcId): Promise<Answer> {
    const session = this.#sessions.get(params.text("sessionId"));
    const content = readPrompt(params);
    const onTurn = (turnId: TurnId): void => {
      this.#prompts.set(id, () => void session.cancel(turnId));
    };
    try {
      return { result: { stopReason: await session.prompt(content, onTurn) } };
    } finally {
      this.#prompts.delete(id);
    }
  }

  async #setMode(params: Fields): Promise<Answer> {
    const session = this.#sessions.get(params.text("sessionId"));
    await session.set({ mode: modeNamed(params.text("modeId")) });
    return { result: {} };
  }

  async #setOption(params: Fields): Promise<Answer> {
    const session = this.#sessions.get(params.text("sessionId"));
    await session.set(patchOf(params.text("configId"), params.text("value")));
    return { result: { configOptions: (await session.state()).configOptions } };
  }
}
