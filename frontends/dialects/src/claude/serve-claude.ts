import { AppError, isJsonObject, type JsonObject, messageOf } from "@capstan/protocol";
import { readObjectLine } from "@capstan/remote";
import { maxWaitingMessages } from "../limits.ts";
import type { DialectLines } from "../lines/dialect-lines.ts";
import { refusedEnd } from "../session/turn-gatherer.ts";
import type { ClaudeOptions, PreparedClaude } from "./claude-engine.ts";
import { ClaudeSession } from "./claude-session.ts";
import { ControlChannel } from "./control-channel.ts";
import { carryOut, concernsSession } from "./control-requests.ts";
import { type Initialization, nothingSaid, readInitialize } from "./initialize.ts";
import { callbackHooks } from "./program-hooks.ts";
import { resultLine } from "./result-line.ts";
import { openSdkServers } from "./sdk-servers.ts";
import { userContent } from "./user-content.ts";

/**
 * Speaks with a program that was made for Claude's agent, until its lines end.
 * @returns what kept the session from being held; `null`: nothing did
 */
export async function serveClaude(options: ClaudeOptions, lines: DialectLines): Promise<AppError | null> {
  return await new ClaudeServer(options, lines).serve();
}

class ClaudeServer {
  readonly #options: ClaudeOptions;
  readonly #lines: DialectLines;
  readonly #control: ControlChannel;
  #initialization: Initialization = nothingSaid;
  #prepared: Promise<PreparedClaude> | undefined;
  #session: Promise<ClaudeSession> | undefined;
  #failure: AppError | null = null;
  /** Why nothing the program says is carried out. */
  #refusal: string | undefined;
  /** One message after the other. */
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: ClaudeOptions, lines: DialectLines) {
    this.#options = options;
    this.#lines = lines;
    this.#control = new ControlChannel(lines);
  }

  async serve(): Promise<AppError | null> {
    const stopListening = this.#options.onStop((reason) => {
      if (this.#lines.isBroken) return;
      void this.#session?.then(async (session) => await session.conversation.stop(reason)).catch(() => undefined);
      this.#lines.stopReading();
    });
    try {
      for await (const line of this.#lines.received) {
        if (line.type === "refused") await this.#control.fail("", line.reason);
        else await this.#take(line.text);
      }
      this.#control.close();
      const broken = new Promise<void>((resolve) => this.#lines.onBroken(resolve));
      await Promise.race([this.#rest(), broken]);
    } finally {
      await this.#close();
      stopListening();
    }
    return this.#failure;
  }

  async #rest(): Promise<void> {
    await this.#work;
    const session = await this.#session?.catch(() => undefined);
    await session?.conversation.rest();
  }

  async #close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    await session?.conversation.close();
    await session?.parts.engine.close();
  }

  /** Answers are taken at once: what waits for them holds up those messages that come after it. */
  async #take(text: string): Promise<void> {
    const message = readObjectLine(text);
    if (typeof message === "string") return await this.#control.fail("", message);
    const { type, response } = message;
    if (type === "control_response") return void (isJsonObject(response) && this.#control.take(response));
    if (type === "keep_alive") return;
    if (this.#waiting === maxWaitingMessages)
      return await this.#refuse(message, `more than ${maxWaitingMessages} messages wait`);
    this.#waiting += 1;
    this.#work = this.#work
      .then(async () => await this.#carryOut(message))
      .catch((error: unknown) => this.#options.warn(messageOf(error)))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  async #carryOut(message: JsonObject): Promise<void> {
    const { type, request, request_id: id } = message;
    if (type === "user") return await this.#say(message);
    if (type === "control_cancel_request") return;
    if (type !== "control_request") return await this.#refuse(message, `unsupported: type ${shown(type)}`);
    if (typeof id !== "string" || !isJsonObject(request))
      return await this.#refuse(message, "a control request has a `request_id` and a `request`");
    try {
      const outcome = await this.#answer(request);
      if (typeof outcome === "string") await this.#control.fail(id, outcome);
      else await this.#control.succeed(id, outcome);
    } catch (error) {
      await this.#control.fail(id, messageOf(error));
    }
  }

  /** What cannot be carried out is answered in the form that its sender waits for. */
  async #refuse({ type, request_id: id }: JsonObject, reason: string): Promise<void> {
    if (type === "user") return await this.#end(reason);
    await this.#control.fail(typeof id === "string" ? id : "", reason);
  }

  async #answer(request: JsonObject): Promise<JsonObject | string> {
    const { subtype } = request;
    if (subtype === "initialize") return await this.#initialize(request);
    if (typeof subtype !== "string" || !concernsSession(subtype)) return `unsupported: ${shown(subtype)}`;
    if (this.#refusal !== undefined) return this.#refusal;
    const session = await this.#open();
    return (await carryOut(request, session)) ?? `unsupported: ${subtype}`;
  }

  /** The first one counts. */
  async #initialize(request: JsonObject): Promise<JsonObject | string> {
    if (this.#prepared === undefined) {
      const read = readInitialize(request);
      if (typeof read === "string") {
        this.#refusal = read;
        return read;
      }
      this.#initialization = read;
      for (const warning of read.warnings) this.#options.warn(warning);
    }
    const { model, commands } = await this.#prepare();
    const entry = { value: "default", displayName: model, description: "The model that sessions begin with." };
    return {
      commands,
      agents: [],
      output_style: "default",
      available_output_styles: ["default"],
      models: model === "" ? [] : [entry, { ...entry, value: model }],
      account: {},
      claude_code_version: this.#options.version,
    };
  }

  async #prepare(): Promise<PreparedClaude> {
    this.#prepared ??= this.#options.prepare(this.#initialization);
    try {
      return await this.#prepared;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async #open(): Promise<ClaudeSession> {
    this.#session ??= this.#opened();
    try {
      return await this.#session;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async #opened(): Promise<ClaudeSession> {
    const prepared = await this.#prepare();
    const { sdkServers, manifests, title, hooks } = this.#initialization;
    const servers = await openSdkServers(sdkServers, manifests, this.#control);
    for (const { name, error } of servers) if (error !== undefined) this.#options.warn(`the server ${name}: ${error}`);
    const engine = await prepared.open(servers, callbackHooks(hooks, this.#control));
    try {
      const parts = { options: this.#options, prepared, engine, servers, lines: this.#lines, control: this.#control };
      return await ClaudeSession.open(parts, title);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  #failed(error: unknown): AppError {
    const failure =
      error instanceof AppError ? error : new AppError("internal.bug", messageOf(error), { cause: error });
    this.#failure ??= failure;
    return failure;
  }

  async #say({ message, uuid, shouldQuery }: JsonObject): Promise<void> {
    if (this.#refusal !== undefined) return await this.#end(this.#refusal);
    const content = userContent(message);
    if (typeof content === "string") return await this.#end(content);
    if (shouldQuery === false) return await this.#end("unsupported: shouldQuery: false");
    try {
      const session = await this.#open();
      const isId = typeof uuid === "string" && /^[\w-]{8,64}$/.test(uuid);
      const { prepared } = session.parts;
      const meant = content.map((part) =>
        part.type === "text" ? { ...part, text: prepared.expand(part.text) } : part,
      );
      await session.say(meant, isId ? uuid : undefined);
    } catch (error) {
      const hint = error instanceof AppError && error.hint !== undefined ? `. ${error.hint}` : "";
      await this.#end(`${messageOf(error)}${hint}`);
    }
  }

  /** A message that comes to nothing has its one result, too. */
  async #end(reason: string): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    if (session !== undefined) return await session.ended(refusedEnd(reason));
    await this.#lines.write(resultLine(refusedEnd(reason), { sessionId: "", costUsd: 0, modelUsage: {} }));
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 80) : JSON.stringify(value ?? null).slice(0, 80);
}
