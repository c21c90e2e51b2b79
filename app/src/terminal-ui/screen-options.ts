import type { Settings } from "@capstan/host";
import { assumedTheme, keymapOf, notificationWayOf, statusItemsOf, themes, type TuiOptions } from "@capstan/tui";
import { asciiForm, wantsColors } from "../terminal.ts";
import { runStatusCommand } from "./status-command.ts";

/** What the settings say about the screen. */
export function screenOptions(
  { loaded, workspace }: Settings,
  screen: "inline" | "full" | undefined,
): Pick<
  TuiOptions,
  | "statusItems"
  | "askStatus"
  | "isFull"
  | "keymap"
  | "asksBackground"
  | "reducedMotion"
  | "notification"
  | "vim"
  | "pasteLimits"
  | "theme"
  | "asSent"
> {
  const { app, tui, keys } = loaded.values;
  const command = tui.status_command;
  return {
    isFull: (screen ?? app.tui) === "full",
    reducedMotion: app.reduced_motion,
    notification: tui.notify ? notificationWayOf(process.env) : null,
    statusItems: statusItemsOf(tui.status),
    askStatus: command === null ? null : (input) => runStatusCommand(command, workspace.cwd, input),
    vim: tui.vim,
    keymap: keymapOf(keys),
    pasteLimits: { lines: tui.paste_lines, characters: tui.paste_characters },
    ...themeOptions(wantsColors(process.stdout) ? (app.high_contrast ? "high-contrast" : tui.theme) : "none"),
    asSent: app.ascii_only ? asciiForm : (text) => text,
  };
}

function themeOptions(
  name: Settings["loaded"]["values"]["tui"]["theme"],
): Pick<TuiOptions, "asksBackground" | "theme"> {
  if (name !== "auto") return { asksBackground: false, theme: themes[name] };
  // The console of Linux has sixteen colours on black, and no such question.
  const { TERM, COLORFGBG } = process.env;
  return TERM === "linux"
    ? { asksBackground: false, theme: themes["16"] }
    : { asksBackground: true, theme: assumedTheme(COLORFGBG) };
}
