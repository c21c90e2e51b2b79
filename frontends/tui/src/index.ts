export { runTui, type TuiOptions } from "./run/tui.ts";
export { openTerminal } from "./terminal/terminal.ts";
export { type ThemeName, themes } from "./terminal/theme.ts";
