import type { SessionConfig } from "@capstan/protocol";
import { configVariant, configVariants } from "../history/config-variants.ts";
import { askingShare } from "./limits.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Some settings. */
export function anyConfig(random: SeededRandom, isAsking: boolean = random.happens(askingShare)): SessionConfig {
  const config = configVariant(random.below(configVariants));
  // Everything is asked about, and somebody is there.
  if (!isAsking) return config;
  return {
    ...config,
    attendance: "ask",
    mode: "default",
    strategy: "sequential",
    policy: { ...config.policy, rules: [] },
  };
}
