import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "..", "..");
const made = new Map<string, Promise<string>>();

/**
 * A program of the tests as one JavaScript file, made once for each worker: it starts in a moment, from TypeScript it takes
 * seconds each time.
 * @param source  absolute path of its TypeScript
 * @returns what `node` starts, without flags; any user may read it
 */
export function bundledProgram(source: string): Promise<string> {
  const known = made.get(source) ?? bundle(source);
  made.set(source, known);
  return known;
}

async function bundle(source: string): Promise<string> {
  const modules = join(root, "node_modules");
  // Here it finds the packages that are not bundled.
  const folder = mkdtempSync(join(modules, ".capstan-programs-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const outfile = join(folder, basename(source).replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [source],
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["source"],
    plugins: [packagesFromOutside],
    alias: { capstan: join(root, "library", "src", "index.ts") },
    outfile,
  });
  return outfile;
}

/** Only our own packages are TypeScript. */
const packagesFromOutside: Plugin = {
  name: "packages-from-outside",
  setup(programBuild) {
    programBuild.onResolve({ filter: /^[@\w]/ }, ({ path, kind }) =>
      kind === "entry-point" || /^(@capstan\/|capstan$)/.test(path) ? undefined : { external: true },
    );
  },
};
