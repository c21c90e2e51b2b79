/** `npm run build`, second half: the sources become `dist/cli/` and `bin/capstan`. */
import { join } from "node:path";
import { buildBundle } from "./bundle/build-bundle.ts";
import { writeLauncher } from "./bundle/write-launcher.ts";

const root = join(import.meta.dirname, "..");
const { entry, outputs } = await buildBundle(root, join(root, "dist"));
const launcher = writeLauncher(root, entry);

const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
process.stdout.write(`${launcher}: ${outputs.length} files, ${Math.round(bytes / 1024)} KB\n`);
