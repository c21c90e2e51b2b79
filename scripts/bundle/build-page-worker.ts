import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { sharedOptions } from "./shared-options.ts";

/**
 * Bundles what reads pages in a thread of its own. It lies beside the script that starts it, which finds it there.
 * @param folder  absolute; gets `page-worker.mjs`
 * @returns the bundled files, relative to the root
 */
export async function buildPageWorker(root: string, folder: string): Promise<readonly string[]> {
  const { outputFiles, metafile } = await build({
    ...sharedOptions(root),
    absWorkingDir: root,
    outfile: join(folder, "page-worker.mjs"),
    entryPoints: [join("adapters", "web", "src", "extract", "page-worker.ts")],
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return Object.keys(metafile.inputs);
}
