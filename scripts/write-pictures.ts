/** `npm run pictures`: draws golden screens of the terminal UI for the documents; a test compares them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pictures } from "./screens/pictures.ts";

const folder = join(import.meta.dirname, "..", "docs", "pictures");
const drawn = await pictures();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, svg] of drawn) writeFileSync(join(folder, name), svg);
process.stdout.write(`${folder}: ${[...drawn.keys()].join(", ")}\n`);
