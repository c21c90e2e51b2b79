import { randomUUID } from "node:crypto";
import {
  type Interaction,
  type JsonObject,
  type SessionConfig,
  type SessionEvent,
  type SessionSnapshot,
  toTurnId,
  type TurnId,
  type UserContent,
} from "@capstan/protocol";
import type { DialectLines } from "../lines/dialect-lines.ts";
import { Conversation } from "../session/conversation.ts";
import type { GivenAnswer, Medium } from "../session/medium.ts";
import { openSession } from "../session/open-session.ts";
import type { TurnEnd } from "../session/turn-end.ts";
import type { ClaudeEngine, ClaudeOptions, PreparedClaude } from "./claude-engine.ts";
import { ClaudeMessages } from "./claude-messages.ts";
import { ClaudeTotals } from "./claude-totals.ts";
import { claudeMode, claudeToolName } from "./claude-words.ts";
import type { ControlChannel } from "./control-channel.ts";
import { askPermission } from "./permission-requests.ts";
import { resultLine } from "./result-line.ts";
import type { SdkServer } from "./sdk-servers.ts";

/** What a session is shown with. */
export interface ClaudeParts {
  readonly options: ClaudeOptions;
  readonly prepared: PreparedClaude;
  readonly engine: ClaudeEngine;
  readonly servers: readonly SdkServer[];
  readonly lines: DialectLines;
  readonly control: ControlChannel;
}

/** A session that a program of Claude's drives. */
export class ClaudeSession implements Medium {
  readonly #parts: ClaudeParts;
  readonly #snapshot: SessionSnapshot;
  readonly #messages: ClaudeMessages;
  readonly #totals: ClaudeTotals;
  #config: SessionConfig;
  readonly conversation: Conversation;

  private constructor(parts: ClaudeParts, found: Awaited<ReturnType<typeof openSession>>) {
    const { options, engine } = parts;
    const { snapshot } = found;
    this.#parts = parts;
    this.#snapshot = snapshot;
    this.#config = snapshot.config;
    this.#totals = new ClaudeTotals(modelName(snapshot.config));
    this.#messages = new ClaudeMessages({
      sessionId: snapshot.sessionId,
      partial: options.partial,
      init: () => this.#init(),
    });
    const { form } = engine;
    const { identity } = options;
    this.conversation = new Conversation(
      { client: engine.client, identity, medium: this, ...(form === undefined ? {} : { form }) },
      found,
    );
  }

  /** @throws AppError `session.*` */
  static async open(parts: ClaudeParts, title: string | undefined): Promise<ClaudeSession> {
    const { client, target } = parts.engine;
    const session = new ClaudeSession(parts, await openSession(client, target, parts.options.identity));
    await session.conversation.begin();
    if (title !== undefined && target.type === "new") await session.conversation.submit({ type: "title", title });
    return session;
  }

  get parts(): ClaudeParts {
    return this.#parts;
  }

  /** The one that the session was opened with. */
  get firstModel(): string {
    return modelName(this.#snapshot.config);
  }

  get config(): SessionConfig {
    return this.#config;
  }

  get costUsd(): number {
    return this.#totals.costUsd;
  }

  /** @param uuid  the message's own, under which it is known again after a crash */
  async say(content: readonly UserContent[], uuid: string | undefined): Promise<void> {
    await this.conversation.say(uuid === undefined ? this.#newTurn() : toTurnId(uuid), content);
  }

  async record(event: SessionEvent, isOwn: boolean): Promise<void> {
    const { record } = event;
    if (record.type === "session-configured") this.#config = record.config;
    this.#totals.take(record);
    for (const line of this.#messages.take(event, isOwn)) await this.#parts.lines.write(line);
  }

  async ended(end: TurnEnd): Promise<void> {
    const modelUsage = this.#totals.usageByModel(this.#config.model);
    const totals = { sessionId: this.#snapshot.sessionId, costUsd: this.#totals.costUsd, modelUsage };
    await this.#parts.lines.write(resultLine(end, totals));
  }

  async ask(interaction: Interaction, signal: AbortSignal): Promise<GivenAnswer | null> {
    const { options, control } = this.#parts;
    // A limit is the program's own, also where it answers nothing else.
    if (!options.asks && interaction.request.type !== "budget") return null;
    return await askPermission(interaction, control, { signal, warn: (text) => options.warn(text) });
  }

  #newTurn(): TurnId {
    return this.#parts.engine.client.newTurnId();
  }

  #init(): JsonObject {
    const { options, prepared, servers } = this.#parts;
    const { tools, mode } = this.#config;
    return {
      type: "system",
      subtype: "init",
      cwd: this.#snapshot.workspace.cwd,
      session_id: this.#snapshot.sessionId,
      model: modelName(this.#config),
      tools: tools.map(({ name }) => claudeToolName(name)),
      mcp_servers: [
        ...servers.map(({ name, status }) => ({ name, status })),
        ...prepared.servers.map((name) => ({ name, status: serverStatus(name, this.#config) })),
      ],
      permissionMode: claudeMode(mode, prepared.bypasses),
      slash_commands: prepared.commands.map(({ name = "" }) => name),
      apiKeySource: "none",
      output_style: "default",
      claude_code_version: options.version,
      agents: [],
      skills: [],
      plugins: [],
      uuid: randomUUID(),
    };
  }
}

/** A server whose tools the model is offered works. */
export function serverStatus(name: string, { tools }: Pick<SessionConfig, "tools">): "connected" | "failed" {
  return tools.some((tool) => tool.name.startsWith(`mcp__${name}__`)) ? "connected" : "failed";
}

function modelName({ model }: SessionConfig): string {
  return `${model.provider}/${model.id}`;
}
