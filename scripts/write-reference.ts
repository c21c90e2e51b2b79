/** `npm run docs`: writes `docs/reference/` from the code, and removes what the code no longer has; how rules speak of tools, from the tools' definitions; and what records must look like, from their types. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "./reference/reference-pages.ts";
import { recordShapesFile, recordShapesPath } from "./reference/shapes/record-shapes-file.ts";
import { toolFamiliesFile, toolFamiliesPath } from "./reference/tool-families-file.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "docs", "reference");
const pages = await referencePages(root);

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name), { recursive: true });
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
writeFileSync(join(root, toolFamiliesPath), toolFamiliesFile());
writeFileSync(join(root, recordShapesPath), recordShapesFile(root));
process.stdout.write(`${folder}: ${[...pages.keys()].join(", ")}\n`);
