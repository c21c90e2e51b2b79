/** `npm run structure`: the packages with their sizes, the files that many import, and the arrows between folders. */
import { join } from "node:path";
import { readLayers } from "../test/tidy/layers.ts";
import { sourceFiles } from "../test/tidy/source-file.ts";
import { structureText } from "./structure/structure-text.ts";

const root = join(import.meta.dirname, "..");
const packages = Object.entries(readLayers(root)).map(([folder, layer]) => ({
  folder,
  layer,
  files: sourceFiles(root, `${folder}/src`),
}));
process.stdout.write(structureText(packages));
