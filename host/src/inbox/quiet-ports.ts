import type { SessionStore } from "@capstan/ports";
import { AppError } from "@capstan/protocol";
import { ProviderHealth, type RuntimePorts } from "@capstan/runtime";
import { sha256 } from "../system/sha256.ts";
import { systemChance } from "../system/system-chance.ts";
import { systemClock } from "../system/system-clock.ts";

/** What a session needs that is opened only to decide on answers: nothing of it is carried out, so there is nothing to do it with. */
export function quietPorts(
  store: SessionStore,
  { redact, report }: Pick<RuntimePorts, "redact" | "report">,
): RuntimePorts {
  return {
    store,
    clock: systemClock,
    chance: systemChance,
    digest: sha256,
    context: { collect: nothingIsDone },
    tools: {
      definitions: () => [],
      find: () => undefined,
      check: (_tool, args) => ({ type: "fits", arguments: args }),
    },
    checkpoints: { keep: nothingIsDone, since: nothingIsDone, apply: nothingIsDone, describe: nothingIsDone },
    provider: nothingIsDone,
    health: new ProviderHealth(systemClock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
    redact,
    report,
  };
}

async function nothingIsDone(): Promise<never> {
  throw new AppError("internal.bug", "a session that only takes answers was to do something");
}
