export { findPlugins, type FoundPlugins, type PluginPlaces } from "./find/find-plugins.ts";
export type { FoundPlugin, LeftPlugin } from "./find/plugin-file.ts";
export type { OpenedPlugins, OpenOptions, PluginReport } from "./open-plugins.ts";
export { orderPlugins } from "./order-plugins.ts";
export { type ChangedPlugin, PluginChoices } from "./plugin-choices.ts";
export { openPlugins } from "./plugins-when-needed.ts";
