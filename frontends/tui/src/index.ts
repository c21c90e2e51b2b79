export { defaultKeys } from "./keys/key-actions.ts";
export { keymapOf } from "./keys/keymap.ts";
export { runTui } from "./run/run-tui.ts";
export type { SettingsDesk, Surroundings, TuiOptions } from "./run/tui-options.ts";
export { openTerminal, resetSequence } from "./terminal/terminal.ts";
export { assumedTheme, themes } from "./terminal/theme.ts";
