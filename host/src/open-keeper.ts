import { AppError, type Origin, type SessionEvent, type SessionId } from "@capstan/protocol";
import { ProviderHealth, type RuntimePorts } from "@capstan/runtime";
import { prepareDataDirectory } from "./data-dir.ts";
import type { Settings } from "./load-settings.ts";
import { openCheckpoints, openStore, openTools, redactorOf } from "./open-parts.ts";
import { LocalEngine } from "./session/local-engine.ts";
import { rewindSession, type RewindWish } from "./session/rewind-session.ts";
import { sha256 } from "./system/sha256.ts";
import { systemChance } from "./system/system-chance.ts";
import { systemClock } from "./system/system-clock.ts";

/** Whoever changes sessions as a whole, without a model. */
export interface Keeper {
  /** @throws AppError `session.unknown`, `session.ambiguous` */
  resolve(idOrPrefix: string): Promise<SessionId>;
  /** @throws AppError `session.busy`, `storage.*` */
  rewind(id: SessionId, wish: RewindWish, origin: Origin): Promise<readonly SessionEvent[]>;
  close(): Promise<void>;
}

export interface KeeperOptions {
  readonly version: string;
  /** Told about mistakes that did not stop the work. */
  report(error: unknown): void;
}

/** Opens what changing sessions takes: everything but a model. @throws AppError `storage.*` */
export async function openKeeper(settings: Settings, options: KeeperOptions): Promise<Keeper> {
  const data = await prepareDataDirectory(settings.home);
  const redact = redactorOf(settings);
  const ports: RuntimePorts = {
    store: await openStore(data),
    tools: openTools(settings, data, redact),
    checkpoints: openCheckpoints(data),
    clock: systemClock,
    chance: systemChance,
    digest: sha256,
    context: { collect: async () => [] },
    provider: async () => {
      throw new AppError("model.none", "no model is asked while a session is changed as a whole");
    },
    health: new ProviderHealth(systemClock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
    redact,
    report: (error) => options.report(error),
  };
  const { version } = options;
  const engine = new LocalEngine({ ports, workspace: settings.workspace, config: null, version });
  return {
    resolve: (idOrPrefix) => engine.resolveSession(idOrPrefix),
    rewind: (id, wish, origin) => rewindSession(engine, id, wish, origin),
    close: () => engine.close(),
  };
}
