import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { sharedOptions } from "./shared-options.ts";

/** What runs in a thread of its own: what reads pages, and what runs a model's JavaScript. */
const workers = [
  join("adapters", "web", "src", "extract", "page-worker.ts"),
  join("adapters", "tools", "src", "run-js", "js-worker.ts"),
];

/**
 * Bundles the threads, each into one file. They lie beside the scripts that start them, which find them there.
 * @param folder  absolute; gets `page-worker.mjs` and `js-worker.mjs`
 * @returns the bundled files, relative to the root
 */
export async function buildWorkers(root: string, folder: string): Promise<readonly string[]> {
  const { outputFiles, metafile } = await build({
    ...sharedOptions(root),
    absWorkingDir: root,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    entryNames: "[name]",
    entryPoints: [...workers],
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return Object.keys(metafile.inputs);
}
