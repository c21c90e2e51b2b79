import { themes } from "../../frontends/tui/src/terminal/theme.ts";
import { paintScreen } from "./paint-screen.ts";
import { screenSvg } from "./screen-svg.ts";
import { goldenScreens } from "./screens.ts";

/** Golden screens that the documents show, with what a picture says to whoever cannot see it. */
const shown: readonly (readonly [file: string, screen: string, title: string])[] = [
  [
    "answer",
    "sessions/answer-80x24",
    "The terminal UI shows an answer as Markdown, above the draft and the status line",
  ],
  ["edit", "sessions/edit-80x24", "The terminal UI shows what an edit changed, with marks on the words"],
  ["approval", "cards/command-80x24", "A card asks whether a command may run, and which number answers what"],
  ["several", "cards/several-80x24", "A card asks about three calls of one step together"],
  ["side-by-side", "sizes/edit-140x40", "From 140 columns a change stands side by side"],
];

/** Pictures by the names of their files. */
export async function pictures(): Promise<ReadonlyMap<string, string>> {
  const painted = await Promise.all(
    shown.map(async ([file, name, title]): Promise<readonly [string, string]> => {
      const screen = goldenScreens.get(name);
      if (screen === undefined) throw new Error(`there is no golden screen ${name}`);
      return [`${file}.svg`, screenSvg(await paintScreen(screen, themes.dark), title)];
    }),
  );
  return new Map(painted);
}
