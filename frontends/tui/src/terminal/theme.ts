import type { Role, Row } from "@capstan/view";

/** What a terminal is sent for each role: parameters of `CSI … m`, with `;`; absent: nothing. */
export type Theme = Partial<Readonly<Record<Role, string>>>;

const attributes: Theme = {
  strong: "1",
  emphasis: "3",
  strike: "9",
  link: "4",
  selected: "7",
};

/** The sixteen colours that every terminal has, in its own shades. */
const sixteen: Theme = {
  ...attributes,
  code: "36",
  muted: "2",
  good: "32",
  bad: "31",
  warning: "33",
  accent: "34",
  user: "1;34",
  added: "32",
  removed: "31",
  "added-mark": "32;7",
  "removed-mark": "31;7",
};

/** Colours of 24 bits for a dark background, each with a contrast of at least 4.5 to black. */
const dark: Theme = {
  ...attributes,
  code: rgb("#7fc8d8"),
  muted: rgb("#9a9a9a"),
  good: rgb("#7ccf8a"),
  bad: rgb("#ff8b82"),
  warning: rgb("#e6c26b"),
  accent: rgb("#8fb4ff"),
  user: `1;${rgb("#8fb4ff")}`,
  added: rgb("#7ccf8a"),
  removed: rgb("#ff8b82"),
  "added-mark": `${rgb("#7ccf8a")};7`,
  "removed-mark": `${rgb("#ff8b82")};7`,
};

/** The same for a light background, against white. */
const light: Theme = {
  ...attributes,
  code: rgb("#00626f"),
  muted: rgb("#5f5f5f"),
  good: rgb("#116329"),
  bad: rgb("#a40e26"),
  warning: rgb("#7d4e00"),
  accent: rgb("#0b4fb3"),
  user: `1;${rgb("#0b4fb3")}`,
  added: rgb("#116329"),
  removed: rgb("#a40e26"),
  "added-mark": `${rgb("#116329")};7`,
  "removed-mark": `${rgb("#a40e26")};7`,
};

/** Without shades: what matters is bold, underlined or reversed. */
const highContrast: Theme = {
  ...attributes,
  code: "1",
  good: "1;32",
  bad: "1;31",
  warning: "1;33",
  accent: "1",
  user: "1;4",
  added: "1;32",
  removed: "1;31",
  "added-mark": "1;32;7",
  "removed-mark": "1;31;7",
};

/** No colour and no attribute. */
const none: Theme = {};

type ThemeName = "dark" | "light" | "high-contrast" | "16" | "none";

export const themes: Readonly<Record<ThemeName, Theme>> = {
  dark,
  light,
  "high-contrast": highContrast,
  "16": sixteen,
  none,
};

/** A background, each part 0 to 1. */
export interface Background {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** The theme that can be read on a background: as light as white, or as black, whichever is nearer by contrast. */
export function themeOn({ red, green, blue }: Background): Theme {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
    part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > evenLuminance ? light : dark;
}

/** Black and white have the same contrast to it. */
const evenLuminance = 0.179;

/** Until the terminal says what its background is, or where it never does. @param colours  `COLORFGBG`, such as `0;15` */
export function assumedTheme(colours: string | undefined): Theme {
  const background = /;(\d{1,2})$/.exec(colours ?? "")?.[1];
  return background === "7" || Number(background) > 8 ? light : dark;
}

/** A row as a terminal is sent it; it ends as it began, without any attribute. */
export function paintRow(row: Row, theme: Theme): string {
  let painted = "";
  for (const { text, roles } of row) {
    const codes = roles.length === 0 ? [] : roles.flatMap((role) => theme[role] ?? []);
    painted += codes.length === 0 ? text : `\u001b[${codes.join(";")}m${text}\u001b[0m`;
  }
  return painted;
}

function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `38;2;${red};${green};${blue}`;
}
