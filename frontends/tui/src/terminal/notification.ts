/** How a terminal is notified that somebody is wanted: by one of the sequences that make it show words, or by its bell. */
export type NotificationWay = "bell" | "osc-9" | "osc-99" | "osc-777";

/** What is said: never anything of the session. */
export type NotificationText = "waiting for you" | "the turn has ended";

/** What the terminal of this environment understands. Inside tmux and screen nothing but a bell reaches it. */
export function notificationWayOf(env: Readonly<Record<string, string | undefined>>): NotificationWay {
  const { TERM = "", TERM_PROGRAM = "", TMUX, STY } = env;
  if (TMUX !== undefined || STY !== undefined || /^(?:tmux|screen)/.test(TERM)) return "bell";
  if (/^(?:iTerm\.app|WezTerm|ghostty)$/.test(TERM_PROGRAM) || TERM === "xterm-ghostty") return "osc-9";
  if (TERM === "xterm-kitty") return "osc-99";
  return /^(?:foot|rxvt-unicode)/.test(TERM) ? "osc-777" : "bell";
}

export function notificationBytes(way: NotificationWay, text: NotificationText): string {
  switch (way) {
    case "bell":
      return bell;
    case "osc-9":
      return `\u001b]9;Capstan: ${text}${end}`;
    case "osc-99":
      return `\u001b]99;;Capstan: ${text}${end}`;
    case "osc-777":
      return `\u001b]777;notify;Capstan;${text}${end}`;
  }
}

export const bell = "\u0007";
const end = "\u001b\\";
