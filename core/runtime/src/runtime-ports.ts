import type {
  Chance,
  Checkpoints,
  Clock,
  ContextSource,
  Digest,
  HookRunner,
  ModelProvider,
  SessionStore,
  ToolCatalog,
} from "@capstan/ports";
import type { ModelSettings } from "@capstan/protocol";
import type { ProviderHealth } from "./health/provider-health.ts";
import type { Redactor } from "./redact.ts";

/** What a session needs to decide and to journal. The host decides who plays which part. */
export interface DecisionPorts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly redact: Redactor;
  /** Receives mistakes that must not stop the session, such as a listener that threw. */
  report(error: unknown): void;
}

/** What it needs besides to carry out what was decided. */
export interface ActionPorts {
  readonly tools: ToolCatalog;
  readonly digest: Digest;
  /** Keeps what files were before calls change them. */
  readonly checkpoints: Checkpoints;
  /** `null`: no model is asked, and a turn that would ask one waits where it is. */
  readonly model: ModelPorts | null;
  /** Absent: no hook is run, and where one is to be asked a user is. */
  readonly hooks?: HookRunner;
}

/** What it needs to ask a model. */
export interface ModelPorts {
  readonly context: ContextSource;
  /** @throws AppError when no provider of that name is configured */
  provider(model: ModelSettings): Promise<ModelProvider>;
  /** Shared by everything that asks these providers. */
  readonly health: ProviderHealth;
  /** A model call may take so long from its request to its end, however its pieces trickle. */
  readonly callLimitMs: number;
}
