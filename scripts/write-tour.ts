/** `npm run tour`: plays the tour with the binary that `npm run build` left, and writes `docs/tour.md`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { playTour } from "./tour/play-tour.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs", "tour.md");
writeFileSync(page, await playTour(join(root, "bin", "capstan")));
process.stdout.write(`${page}\n`);
