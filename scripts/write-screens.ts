/** `npm run screens`: paints the golden screens of the terminal UI again; a test compares them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { goldenScreens } from "./screens/screens.ts";
import { screenText } from "./screens/screen-text.ts";

const folder = join(import.meta.dirname, "..", "test", "golden-screens", "screens");
rmSync(folder, { recursive: true, force: true });
for (const [name, screen] of goldenScreens) {
  const path = join(folder, `${name}.txt`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await screenText(screen));
}
process.stdout.write(`${folder}: ${goldenScreens.size} screens\n`);
