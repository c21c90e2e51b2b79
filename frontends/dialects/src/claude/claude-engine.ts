import type { CancelReason, ClientIdentity, EngineClient, JsonObject, SessionTarget } from "@capstan/protocol";
import type { AnswerForm } from "../session/answer-form.ts";
import type { Initialization } from "./initialize.ts";
import type { CallbackHook } from "./program-hooks.ts";
import type { SdkServer } from "./sdk-servers.ts";

/** The engine, as soon as the program has said how it is to be. */
export interface ClaudeEngine {
  readonly client: EngineClient;
  readonly target: SessionTarget;
  readonly form?: AnswerForm;
  close(): Promise<void>;
}

/** What is known before anything is opened. */
export interface PreparedClaude {
  /** As `provider/id`; empty: none is chosen. */
  readonly model: string;
  /** Everything runs unasked that no rule denies: the user's configuration allows it, and the program wants it. */
  readonly bypasses: boolean;
  readonly commands: readonly JsonObject[];
  /** What a text means that names one of them; any other is what it says. @throws AppError for arguments that do not fit */
  expand(text: string): string;
  /** Names of the servers that Capstan runs. */
  readonly servers: readonly string[];
  /** @throws AppError where no session can be held */
  open(servers: readonly SdkServer[], hooks: readonly CallbackHook[]): Promise<ClaudeEngine>;
}

export interface ClaudeOptions {
  readonly identity: ClientIdentity;
  readonly version: string;
  /** Pieces of answers are shown as they come. */
  readonly partial: boolean;
  /** The program answers what needs a user. */
  readonly asks: boolean;
  /** @throws AppError where the configuration forbids it, or cannot be read */
  prepare(initialization: Initialization): Promise<PreparedClaude>;
  /** For the program's developer. */
  warn(text: string): void;
  onStop(listener: (reason: CancelReason) => void): () => void;
}
