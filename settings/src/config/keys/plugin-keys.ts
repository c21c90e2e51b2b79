import type { ConfigPath } from "./capstan-config.ts";
import { boolean, type ConfigKey, number, stringList, tableWithout } from "./config-key.ts";

const hour = 3600;

/** Keys about plugins. Only the user's own: a plugin is code. */
export const pluginKeys: Readonly<Record<Extract<ConfigPath, `plugins.${string}`>, ConfigKey>> = {
  "plugins.enabled": { type: boolean, default: true, about: "Whether plugins are used." },
  "plugins.directories": {
    type: stringList,
    default: [],
    about:
      "Further folders with plugins, or npm packages that are plugins; absolute, or below the home directory with `~`.",
    example: ["~/my-plugins"],
    joins: true,
  },
  "plugins.trusted": {
    type: stringList,
    default: [],
    about: "Plugins that run outside of the sandbox, as the user, and whose tools are what they say they are.",
    example: ["deploy"],
  },
  "plugins.startup_timeout": {
    type: number(0.1, hour),
    default: 10,
    about: "Seconds until a plugin must have been loaded, and again until it must have been initialized.",
  },
  "plugins.tool_timeout": {
    type: number(0.1, hour),
    default: 120,
    about: "Seconds until a call of a plugin's tool must have its result; then the plugin is ended.",
  },
  "plugins.settings": {
    type: tableWithout([]),
    default: {},
    about: "What plugins are configured with: a table of any values for each plugin's name.",
  },
};
