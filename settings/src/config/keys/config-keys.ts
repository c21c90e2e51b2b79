import type { ConfigPath } from "./capstan-config.ts";
import type { ConfigKey } from "./config-key.ts";
import { catalogKeys } from "./catalog-keys.ts";
import { gateKeys } from "./gate-keys.ts";
import { hookKeys } from "./hook-keys.ts";
import { languageServerKeys } from "./language-server-keys.ts";
import { mcpKeys } from "./mcp-keys.ts";
import { pluginKeys } from "./plugin-keys.ts";
import { modelKeys } from "./model-keys.ts";
import { providerKeys } from "./provider-keys.ts";
import { screenKeys } from "./screen-keys.ts";
import { sessionKeys } from "./session-keys.ts";
import { toolKeys } from "./tool-keys.ts";

/**
 * Every configuration key by its dotted path, `*` for a name the user chooses. Checks, defaults, the published schema,
 * the reference page, the template and `config explain` are all made from it.
 */
export const configKeys: Readonly<Record<ConfigPath, ConfigKey>> = {
  ...modelKeys,
  ...catalogKeys,
  ...providerKeys,
  ...sessionKeys,
  ...toolKeys,
  ...mcpKeys,
  ...languageServerKeys,
  ...hookKeys,
  ...pluginKeys,
  ...gateKeys,
  ...screenKeys,
};
