import type {
  Chance,
  Checkpoints,
  Clock,
  ContextSource,
  Digest,
  ModelProvider,
  SessionStore,
  ToolCatalog,
} from "@capstan/ports";
import type { ModelSettings } from "@capstan/protocol";
import type { ProviderHealth } from "./health/provider-health.ts";
import type { Redactor } from "./redact.ts";

/** Everything the runtime needs from the world; the host decides who plays which part. */
export interface RuntimePorts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly digest: Digest;
  readonly context: ContextSource;
  readonly tools: ToolCatalog;
  /** Keeps what files were before calls change them. */
  readonly checkpoints: Checkpoints;
  /** @throws AppError when no provider of that name is configured */
  provider(model: ModelSettings): Promise<ModelProvider>;
  /** Shared by everything that asks these providers. */
  readonly health: ProviderHealth;
  readonly redact: Redactor;
  /** Told about mistakes that must not stop the session, such as a listener that threw. */
  report(error: unknown): void;
}
