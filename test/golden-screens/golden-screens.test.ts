import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pictures } from "../../scripts/screens/pictures.ts";
import { goldenScreens } from "../../scripts/screens/screens.ts";
import { screenText } from "../../scripts/screens/screen-text.ts";

const folder = join(import.meta.dirname, "screens");
const picturesFolder = join(import.meta.dirname, "..", "..", "docs", "pictures");

test("there is a file for each golden screen, and no other; they are sixty at least", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".txt"));
  const names = files.map((path) => path.replaceAll("\\", "/").slice(0, -".txt".length));
  expect(names.toSorted()).toEqual([...goldenScreens.keys()].toSorted());
  expect(names.length).toBeGreaterThanOrEqual(60);
});

test.each([...goldenScreens])(
  "%s is painted as it was looked at (`npm run screens` paints it again)",
  async (name, screen) => {
    expect(await screenText(screen)).toBe(readFileSync(join(folder, `${name}.txt`), "utf8"));
  },
);

test("the pictures of the documents are the golden screens (`npm run pictures` draws them again)", async () => {
  const drawn = await pictures();
  expect(readdirSync(picturesFolder).toSorted()).toEqual([...drawn.keys()].toSorted());
  for (const [name, svg] of drawn) expect(readFileSync(join(picturesFolder, name), "utf8")).toBe(svg);
});
