import { join } from "node:path";
import { AppError, type EngineClient } from "@capstan/protocol";
import { prepareDataDirectory } from "@capstan/settings";
import { openStore } from "../open-parts.ts";
import { environmentRedactor } from "../session/environment-redactor.ts";
import { LocalEngine } from "../session/local-engine.ts";
import { systemChance, systemClock } from "../system/system-ports.ts";
import { openHub } from "./open-hub.ts";
import { unixSockets } from "./unix-sockets.ts";

export interface ReaderOptions {
  /** CAPSTAN_HOME. */
  readonly home: string;
  /** Values of variables that look like secrets are not shown. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Told about mistakes that did not stop the work. */
  readonly report: (error: unknown) => void;
}

/**
 * The client API where nothing runs: it reads, answers, and joins what other processes have open. No configuration, model or tool is needed.
 * @throws AppError `storage.*`
 */
export async function openReader({ home, env, version, report }: ReaderOptions): Promise<EngineClient> {
  const data = await prepareDataDirectory(home);
  const ports = {
    store: await openStore(data),
    clock: systemClock,
    chance: systemChance,
    redact: environmentRedactor(env),
    report,
  };
  const engine = new LocalEngine({
    ports,
    version,
    parts: () => Promise.reject(new AppError("internal.bug", "nothing runs in this process: it reads and answers")),
  });
  return openHub({
    engine,
    ports,
    models: async () => [],
    sockets: unixSockets(join(data.root, "run"), version),
  });
}
