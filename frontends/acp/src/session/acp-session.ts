import {
  AppError,
  type Frame,
  type Receipt,
  type SessionClient,
  type SessionId,
  type SettingsPatch,
  type TurnId,
  type UserContent,
} from "@capstan/protocol";
import { problemOf, RpcError } from "../peer/rpc-error.ts";
import type { RpcPeer } from "../peer/rpc-peer.ts";
import { type ClientFeatures, messageUpdate, noticeUpdate } from "../updates/said.ts";
import { SessionUpdates } from "../updates/session-updates.ts";
import type { ConfigOption, SessionUpdate } from "../updates/update-types.ts";
import { AwaitedWork } from "./awaited-work.ts";
import type { EnginePlace } from "./engine-place.ts";
import { Prompts } from "./prompts.ts";
import { SessionQuestions } from "./session-questions.ts";
import { configOptions, modeState } from "./settings-options.ts";
import { availableCommands, builtInSubmission, commandWords } from "./slash-commands.ts";
import type { StopReason } from "./stop-reason.ts";

export interface SessionParts {
  readonly peer: RpcPeer;
  readonly client: SessionClient;
  readonly place: EnginePlace;
  readonly features: ClientFeatures;
  /** Nothing follows: the session was closed. */
  readonly onClosed: () => void;
}

/** A session that a client holds open: its updates, its questions, its prompts. */
export class AcpSession {
  readonly id: SessionId;
  readonly #parts: SessionParts;
  readonly #updates: SessionUpdates;
  readonly #prompts = new Prompts();
  readonly #work = new AwaitedWork();
  readonly #questions: SessionQuestions;
  #models: readonly string[] = [];
  readonly #frames: AsyncIterator<Frame>;
  #isShown = true;
  #isClosed = false;
  #commands = 0;

  constructor(parts: SessionParts) {
    const { client, peer, features, place } = parts;
    this.id = client.id;
    this.#parts = parts;
    this.#updates = new SessionUpdates({
      features,
      isOwn: (turnId) => this.#prompts.isOwn(turnId),
      configOptions: (config) => configOptions(config, this.#models),
    });
    const updates = this.#updates;
    this.#questions = new SessionQuestions({
      peer,
      client,
      engine: place.engine,
      place: {
        sessionId: client.id,
        get cwd() {
          return updates.cwd;
        },
        callName: (callId) => updates.callName(callId),
      },
      forms: features.forms,
      cancelled: () => this.#unanswered(),
      refused: (reason) => void this.#say(`The answer did not count: ${reason}`),
    });
    this.#frames = client.attach(0)[Symbol.asyncIterator]();
  }

  /**
   * Folds what there is, until level with the journal.
   * @param isShown  the client is shown all of it, too
   */
  async replay(isShown: boolean): Promise<void> {
    this.#isShown = isShown;
    for (;;) {
      const step = await this.#frames.next();
      if (step.done === true || step.value.type === "closed") return this.#end();
      if (step.value.type === "live") break;
      await this.#take(step.value);
    }
    if (!isShown) this.#updates.forgetCalls();
    this.#isShown = true;
  }

  /** From here on the client is shown what happens and asked what waits, and what an earlier process left open is carried on with. */
  begin(): void {
    const { client } = this.#parts;
    this.#questions.begin(this.#updates.transcript.work.turn !== null);
    void this.#follow();
    void this.#tellCommands();
    void this.#tellModels();
    if (client.recovery.waits) void this.#resume();
  }

  /** What a client is shown of a session that it begins to use. */
  async state(): Promise<{ readonly modes: object; readonly configOptions: readonly ConfigOption[] }> {
    const { config } = await this.#parts.client.snapshot();
    return { modes: modeState(config), configOptions: configOptions(config, this.#models) };
  }

  /** @throws RpcError what went wrong in the turn; AppError for a command that there is not */
  async prompt(content: readonly UserContent[], onTurn: (turnId: TurnId) => void): Promise<StopReason> {
    const { client, place } = this.#parts;
    const words = commandWords(content);
    if (words !== undefined && (await this.#runCommand(words))) return "end_turn";
    const turnId = place.engine.newTurnId();
    onTurn(turnId);
    const answer = this.#prompts.answerOf(turnId);
    try {
      const said = words === undefined ? content : await place.expand(words);
      if (this.#prompts.isCancelled(turnId)) this.#prompts.end("cancelled", turnId);
      else this.#taken(turnId, await client.submit({ type: "user-input", turnId, content: said }));
    } catch (error) {
      this.#prompts.end(problemOf(internal(error)), turnId);
    }
    return await answer;
  }

  #taken(turnId: TurnId, receipt: Receipt): void {
    if (receipt.type === "refused") this.#prompts.end(problemOf({ ...receipt, message: receipt.reason }), turnId);
  }

  /** Stops what runs in the session, and every prompt of this client. @param turnId  only the prompt that waits for this turn */
  async cancel(turnId?: TurnId): Promise<void> {
    const { client } = this.#parts;
    const own = turnId === undefined ? this.#prompts.turns : [turnId];
    this.#prompts.cancel(turnId);
    const open = this.#updates.transcript.work.turn?.turnId;
    const turns = new Set(turnId === undefined && open !== undefined ? [open, ...own] : own);
    if (turnId === undefined) this.#work.endAll("Not waited for.");
    for (const turn of turns) {
      await client.submit({ type: "queue-change", turnId: turn, change: { type: "remove" } });
      await client.submit({ type: "cancel", reason: "interrupted", turnId: turn });
    }
  }

  /** Stops what this client asked for, and nothing of others. */
  async cancelOwn(): Promise<void> {
    for (const turnId of this.#prompts.turns) await this.cancel(turnId);
  }

  /** @throws RpcError where the setting is refused */
  async set(settings: SettingsPatch): Promise<void> {
    const receipt = await this.#parts.client.submit({ type: "set", settings });
    if (receipt.type === "refused") {
      const { code, message, data } = problemOf({ ...receipt, message: receipt.reason });
      throw new RpcError(code, message, data);
    }
  }

  /** Leaves the session as it is. */
  async detach(): Promise<void> {
    this.#end();
    await this.#parts.client.close();
  }

  async #follow(): Promise<void> {
    try {
      for (;;) {
        const step = await this.#frames.next();
        if (step.done === true || step.value.type === "closed") break;
        await this.#take(step.value);
      }
    } catch (error) {
      if (!this.#isClosed) await this.#say(`The session cannot be followed any more: ${internal(error).message}`);
    }
    this.#end();
    this.#parts.onClosed();
  }

  async #take(frame: Frame): Promise<void> {
    if (frame.type !== "record") return;
    await this.#tell(this.#updates.take(frame.event));
    this.#questions.take(frame.event.record);
    this.#work.take(frame.event.record);
    this.#prompts.take(frame.event.record);
  }

  async #tell(updates: readonly SessionUpdate[]): Promise<void> {
    if (!this.#isShown) return;
    for (const update of updates) await this.#parts.peer.notify("session/update", { sessionId: this.id, update });
  }

  /** The client cancels a turn of its own by not answering; what another one asked for waits on. */
  #unanswered(): void {
    const turn = this.#updates.transcript.work.turn?.turnId;
    if (turn !== undefined && this.#prompts.turns.includes(turn)) void this.cancel(turn);
  }

  async #resume(): Promise<void> {
    const receipt = await this.#parts.client.submit({ type: "resume" });
    if (receipt.type === "refused") await this.#say(`What was left open waits: ${receipt.reason}`);
  }

  /** @returns whether the words were a built-in command */
  async #runCommand(words: string): Promise<boolean> {
    const { client } = this.#parts;
    this.#commands += 1;
    const id = `${this.#parts.place.engine.newTurnId()}-${this.#commands}`;
    const submission = builtInSubmission(words, id, (await client.snapshot()).turns.length);
    if (submission === undefined) return false;
    const end = this.#work.endOf(id);
    const receipt = await client.submit(submission);
    if (receipt.type === "refused") this.#work.end(id, receipt.reason);
    await this.#tell([messageUpdate(await end, `command-${id}`)]);
    return true;
  }

  async #tellCommands(): Promise<void> {
    const { place, features } = this.#parts;
    const commands = availableCommands(ownCommands(place));
    await this.#tell([{ sessionUpdate: "available_commands_update", availableCommands: commands }]);
    for (const [at, text] of place.notices.entries())
      await this.#tell(noticeUpdate({ level: "warning", text }, `place-${at}`, features));
  }

  /** Asking a vendor which models there are takes its time, and may fail: the session does not wait for it. */
  async #tellModels(): Promise<void> {
    const { client, place } = this.#parts;
    const models = await place.models();
    if (models.length === 0 || this.#isClosed) return;
    const { config } = await client.snapshot();
    const before = JSON.stringify(configOptions(config, this.#models));
    this.#models = models;
    const options = configOptions(config, this.#models);
    if (JSON.stringify(options) === before) return;
    await this.#tell([{ sessionUpdate: "config_option_update", configOptions: options }]);
  }

  async #say(text: string): Promise<void> {
    this.#commands += 1;
    await this.#tell(noticeUpdate({ level: "warning", text }, `said-${this.#commands}`, this.#parts.features));
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#questions.close();
    this.#work.endAll("The session was closed.");
    this.#prompts.end(problemOf({ code: "session.closed", message: "the session was closed" }));
    void this.#frames.return?.();
  }
}

function ownCommands(place: EnginePlace): ReturnType<EnginePlace["commands"]> {
  try {
    return place.commands();
  } catch {
    // What is wrong with the user's commands is said when one is used.
    return [];
  }
}

function internal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError("internal.bug", error instanceof Error ? error.message : String(error), { cause: error });
}
