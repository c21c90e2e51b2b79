import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, integer } from "./config-key.ts";

/** Keys about the terminal UI alone. */
export const screenKeys: Readonly<Record<Extract<ConfigPath, `tui.${string}`>, ConfigKey>> = {
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
    about: "Ring the bell when something waits, or a long turn has ended, while the window has not the focus.",
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
