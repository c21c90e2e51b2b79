import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, integer, string, stringList, tableOf } from "./config-key.ts";

/** What a key of the terminal UI can do. */
const keyActionNames = [
  "send",
  "steer",
  "newline",
  "stop",
  "interrupt",
  "delete-right-or-quit",
  "complete",
  "next-mode",
  "up",
  "down",
  "older",
  "newer",
  "search-sent",
  "take-back",
  "editor",
  "paste-image",
  "transcript",
  "tasks",
  "help",
  "lead",
  "model",
  "sessions",
  "inbox",
  "rewind",
  "screen",
  "page-up",
  "page-down",
  "repaint",
  "suspend",
  "left",
  "right",
  "word-left",
  "word-right",
  "line-start",
  "line-end",
  "draft-start",
  "draft-end",
  "delete-left",
  "delete-right",
  "kill-word-left",
  "kill-word-right",
  "kill-line-start",
  "kill-line-end",
  "yank",
  "undo",
  "redo",
] as const;

/** Keys about the terminal UI alone. */
export const screenKeys: Readonly<Record<Extract<ConfigPath, `tui.${string}` | "keys">, ConfigKey>> = {
  keys: {
    type: tableOf(keyActionNames, "docs/terminal.md lists what keys can do"),
    default: {},
    about:
      "Chords of the terminal UI by what they do; those that are named here are all that an action has, and they are taken from other actions.",
    example: { steer: ["alt+s"], transcript: ["ctrl+o", "f2"] },
  },
  "tui.theme": {
    type: choice(["16", "auto", "dark", "light", "high-contrast", "none"]),
    default: "16",
    about:
      "The colours: the terminal's own sixteen, those for a dark or a light background, high contrast, or none. `auto` asks the terminal for its background.",
  },
  "tui.vim": {
    type: boolean,
    default: false,
    about: "The draft is edited with the keys of vim; `/vim` switches while it runs.",
  },
  "tui.notify": {
    type: boolean,
    default: true,
    about:
      "Say so when something waits, or a long turn has ended, while the window has not the focus: by a notification of iTerm2, WezTerm, Ghostty, kitty, foot and urxvt, else by the bell.",
  },
  "tui.status": {
    type: stringList,
    default: ["model", "mode", "sandbox", "context", "cost", "queued", "waiting"],
    about: "What the status line says beside what happens, in this order; `folder` is one more.",
  },
  "tui.status_command": {
    type: string,
    default: null,
    about:
      "A shell command of yours that reads the session as JSON and writes the status line; asked once a second at most, for 300 ms.",
    example: "~/.capstan/status.sh",
  },
  "tui.paste_lines": {
    type: integer(1, 10_000),
    default: 10,
    about: "A paste of more lines is one token in the draft.",
  },
  "tui.paste_characters": {
    type: integer(1, 1_000_000),
    default: 1000,
    about: "A paste of more characters is one token in the draft.",
  },
};
