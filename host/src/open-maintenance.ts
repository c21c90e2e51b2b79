import type { ClientIdentity, Origin, Receipt, SessionEvent, SessionId } from "@capstan/protocol";
import type { ActionPorts, DecisionPorts } from "@capstan/runtime";
import { prepareDataDirectory } from "@capstan/settings";
import type { Settings } from "./load-settings.ts";
import { openCheckpoints, openStore, openTools, redactorOf } from "./open-parts.ts";
import { LocalEngine } from "./session/local-engine.ts";
import { rewindSession, type RewindRequest } from "./session/rewind-session.ts";
import { sha256, systemChance, systemClock } from "./system/system-ports.ts";

/** Whoever changes sessions as a whole, without a model. */
export interface SessionMaintenance {
  /** @throws AppError `session.unknown`, `session.ambiguous` */
  resolve(idOrPrefix: string): Promise<SessionId>;
  /** @throws AppError `session.busy`, `storage.*` */
  rewind(id: SessionId, request: RewindRequest, origin: Origin): Promise<readonly SessionEvent[]>;
  /** An empty title removes the name. @throws AppError `session.busy`, `storage.*` */
  rename(id: SessionId, title: string, identity: ClientIdentity): Promise<Receipt>;
  close(): Promise<void>;
}

export interface MaintenanceOptions {
  readonly version: string;
  /** Called with mistakes that did not stop the work. */
  report(error: unknown): void;
}

/** Opens what changing sessions takes: everything but a model. @throws AppError `storage.*` */
export async function openMaintenance(settings: Settings, options: MaintenanceOptions): Promise<SessionMaintenance> {
  const data = await prepareDataDirectory(settings.home);
  const redact = redactorOf(settings);
  const ports: DecisionPorts = {
    store: await openStore(data),
    clock: systemClock,
    chance: systemChance,
    redact,
    report: (error) => options.report(error),
  };
  const action: ActionPorts = {
    tools: openTools(settings, data, { redact }),
    digest: sha256,
    checkpoints: openCheckpoints(data),
    model: null,
  };
  const { version } = options;
  const { workspace } = settings;
  const engine = new LocalEngine({ ports, parts: async () => ({ workspace, settings: null, action }), version });
  return {
    resolve: (idOrPrefix) => engine.resolveSession(idOrPrefix),
    rewind: (id, request, origin) => rewindSession(engine, id, request, origin),
    rename: (id, title, identity) => rename(engine, id, { title, identity }),
    close: () => engine.close(),
  };
}

/** What an earlier process left open stays as it is. */
async function rename(
  engine: LocalEngine,
  id: SessionId,
  { title, identity }: { readonly title: string; readonly identity: ClientIdentity },
): Promise<Receipt> {
  const { runtime } = await engine.openSession({ type: "resume", id }, { identity, recover: false });
  const { frontend, user, role } = identity;
  const origin = user === undefined ? { frontend } : { frontend, user };
  try {
    return await runtime.submit({ type: "title", title }, { origin, role });
  } finally {
    await runtime.close();
  }
}
