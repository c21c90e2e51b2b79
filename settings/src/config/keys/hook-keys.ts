import type { ConfigPath } from "./capstan-config.ts";
import { type ConfigKey, hookList } from "./config-key.ts";

/** Keys about hooks. Only the user's own: what they name is run. */
export const hookKeys: Readonly<Record<Extract<ConfigPath, `hooks.${string}`>, ConfigKey>> = {
  "hooks.*": {
    type: hookList,
    default: null,
    about: "What is asked or informed at the event of that name (docs/hooks.md has the events), in this order.",
    example: [{ matcher: "run_command", command: "check-command", timeout: 10 }],
    joins: true,
  },
};
