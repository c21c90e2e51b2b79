export { findPlugins, type FoundPlugins } from "./find/find-plugins.ts";
export type { PluginPlaces } from "./find/plugin-places.ts";
export type { FoundPlugin, LeftPlugin } from "./find/plugin-file.ts";
export type { OpenedPlugins, OpenOptions, PluginReport } from "./open-plugins.ts";
export { fitsRange } from "./engine-range.ts";
export { orderPlugins } from "./order-plugins.ts";
export { type ChangedPlugin, PluginChoices } from "./plugin-choices.ts";
export { openPlugins } from "./plugins-when-needed.ts";
