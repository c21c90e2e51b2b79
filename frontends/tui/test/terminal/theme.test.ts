import type { Role } from "@capstan/view";
import { expect, test } from "vitest";
import { assumedTheme, paintRow, type Theme, themeOn, themes } from "../../src/terminal/theme.ts";

/** Relative luminance of a colour of 24 bits (WCAG 2). */
function luminance(codes: string): number {
  const [, ...parts] = /38;2;(\d+);(\d+);(\d+)/.exec(codes) ?? [];
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = Number(part) / 255;
    return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Roles with a colour of their own, with its contrast to a background of this luminance. */
function contrasts(theme: Theme, background: number): readonly (readonly [string, number])[] {
  return Object.entries(theme).flatMap(([role, codes]) => {
    if (!codes.includes("38;2;")) return [];
    const [low, high] = [luminance(codes), background].toSorted((one, other) => one - other);
    return [[role, ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)] as const];
  });
}

test("each colour of the dark and the light theme has a contrast of at least 4.5 to its background", () => {
  const all = [...contrasts(themes.dark, 0), ...contrasts(themes.light, 1)];
  expect(all.length).toBeGreaterThan(15);
  expect(all.filter(([, contrast]) => contrast < 4.5)).toEqual([]);
});

test("without a theme nothing but the text is sent; with one, each piece ends as it began", () => {
  const row = [
    { text: "a", roles: ["strong", "good"] as readonly Role[] },
    { text: "b", roles: [] },
  ];
  expect(paintRow(row, themes.none)).toBe("ab");
  expect(paintRow(row, themes["16"])).toBe("\u001b[1;32ma\u001b[0mb");
});

function grey(part: number): Theme {
  return themeOn({ red: part, green: part, blue: part });
}

test("on a background the theme is the one that has more contrast to it", () => {
  expect([grey(0), grey(0.12), grey(0.4)]).toEqual([themes.dark, themes.dark, themes.dark]);
  expect([grey(1), grey(0.96), grey(0.6)]).toEqual([themes.light, themes.light, themes.light]);
  expect(themeOn({ red: 0, green: 0.17, blue: 0.21 })).toBe(themes.dark);
  expect(themeOn({ red: 0.99, green: 0.96, blue: 0.89 })).toBe(themes.light);
});

test.each([
  ["15;0", "dark"],
  ["0;15", "light"],
  ["0;default;7", "light"],
  ["7;8", "dark"],
  ["0;default", "dark"],
  ["", "dark"],
  [undefined, "dark"],
] as const)("COLORFGBG %s is taken for a %s background", (colours, name) => {
  expect(assumedTheme(colours)).toBe(themes[name]);
});
