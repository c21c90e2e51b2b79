import type { SessionConfig } from "@capstan/protocol";
import { configVariant, configVariants } from "../history/config-variants.ts";
import { askingShare } from "./limits.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { onUnknownWhereAsked } from "./weights.ts";

/** Some settings. */
export function anyConfig(random: SeededRandom, isAsking: boolean = random.happens(askingShare)): SessionConfig {
  const config = configVariant(random.below(configVariants));
  // Everything is asked about, and somebody is there.
  if (!isAsking) return config;
  return {
    ...config,
    askPolicy: "ask",
    onUnknown: random.weighted(onUnknownWhereAsked),
    mode: "default",
    strategy: "sequential",
    policy: { ...config.policy, rules: [] },
  };
}

/** Settings as a client may change them. */
export function anySettings(random: SeededRandom): Partial<SessionConfig> {
  const { mode, model, fallbacks, strategy, limits, onUnknown } = anyConfig(random);
  return { mode, model, fallbacks, strategy, limits, onUnknown };
}
