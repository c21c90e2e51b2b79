/** `npm run build`, second half: the sources become `dist/cli/` and `bin/capstan`, and `dist/package/`, which is what is published. */
import { join } from "node:path";
import { buildBundle } from "./bundle/build-bundle.ts";
import { buildPackage } from "./bundle/build-package.ts";
import { fillCodeCache } from "./bundle/fill-code-cache.ts";
import { writeLauncher } from "./bundle/write-launcher.ts";

const root = join(import.meta.dirname, "..");
const bundle = await buildBundle(root, join(root, "dist"));
const { entry, outputs } = bundle;
await fillCodeCache(entry);
const launcher = await writeLauncher(root, root, entry);
await buildPackage(root, bundle, join(root, "dist", "package"));

const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
process.stdout.write(`${launcher}: ${outputs.length} files, ${Math.round(bytes / 1024)} KB\n`);
