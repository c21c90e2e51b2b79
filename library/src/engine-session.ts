import {
  AppError,
  type PermissionMode,
  type Receipt,
  type SessionClient,
  type SessionId,
  type SettingsPatch,
  type TurnId,
  type UserContent,
  userText,
} from "@capstan/protocol";
import { EngineTurn } from "./engine-turn.ts";

/** A session of an engine. */
export class EngineSession {
  readonly id: SessionId;
  /** Everything else: steering, the queue, settings, history, drafts, rewinding. */
  readonly client: SessionClient;
  readonly #newTurnId: () => TurnId;
  readonly #onClose: () => Promise<void>;
  /** A number before the records of whatever is sent next. */
  #after: number;

  constructor(client: SessionClient, parts: { newTurnId: () => TurnId; onClose: () => Promise<void> }) {
    this.id = client.id;
    this.client = client;
    this.#after = client.recovery.after;
    this.#newTurnId = parts.newTurnId;
    this.#onClose = parts.onClose;
  }

  /** Begins a turn, at once or when the session is idle again. Iterate what is returned for its events, or wait for its `result()`. */
  send(words: string | readonly UserContent[]): EngineTurn {
    const turnId = this.#newTurnId();
    const after = this.#after;
    const receipt = this.#submit(turnId, typeof words === "string" ? userText(words) : words);
    // Whoever iterates or waits receives the mistake; one that nobody looks at must not end the program.
    receipt.catch(() => undefined);
    return new EngineTurn(this.client, turnId, { receipt, after });
  }

  async #submit(turnId: TurnId, content: readonly UserContent[]): Promise<Receipt> {
    const receipt = await this.client.submit({ type: "user-input", turnId, content });
    if (receipt.type === "accepted") this.#after = Math.max(this.#after, receipt.seq);
    return receipt;
  }

  /** How far the agent may go in this session. */
  async getMode(): Promise<PermissionMode> {
    const { config } = await this.client.snapshot();
    if (config === null) throw new AppError("session.unknown", `the session ${this.id} has no configuration`);
    return config.mode;
  }

  /** @throws AppError `usage.invalid` where it is refused, with the reason */
  async setMode(mode: PermissionMode): Promise<void> {
    await this.set({ mode });
  }

  /** Changes the named settings and leaves the others. @throws AppError `usage.invalid` where it is refused, with the reason */
  async set(settings: SettingsPatch): Promise<void> {
    if (Object.keys(settings).length === 0) return;
    const receipt = await this.client.submit({ type: "set", settings });
    if (receipt.type === "refused") throw new AppError("usage.invalid", `${named(settings)}: ${receipt.reason}`);
  }

  /** Gives the session back: what runs is stopped, and continues when the session is resumed. Twice is harmless. */
  close(): Promise<void> {
    return this.#onClose();
  }
}

function named(settings: SettingsPatch): string {
  const texts = Object.entries(settings).map(
    ([name, value]) => `the ${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return texts.join(", ");
}
