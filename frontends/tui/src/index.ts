export { defaultKeys } from "./keys/key-actions.ts";
export { keymapOf } from "./keys/keymap.ts";
export { runAloud } from "./aloud/run-aloud.ts";
export type { LineTerminal } from "./aloud/line-terminal.ts";
export { runTui } from "./run/run-tui.ts";
export type { SettingsDesk, Surroundings, TuiOptions } from "./run/tui-options.ts";
export { statusItemsOf } from "./status/status-items.ts";
export { openTerminal, resetSequence } from "./terminal/terminal.ts";
export { assumedTheme, themes } from "./terminal/theme.ts";
