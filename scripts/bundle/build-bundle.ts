import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildWorkers } from "./build-workers.ts";
import { buildEntry, entryName } from "./build-entry.ts";
import { collectLicences } from "./collect-licences.ts";
import { directImports } from "./direct-imports.ts";
import { sharedOptions } from "./shared-options.ts";
import { writeScript } from "./write-script.ts";

export interface BundleOutput {
  /** Relative to the output folder. */
  readonly path: string;
  readonly bytes: number;
  /** The files it was made of, relative to the repository. */
  readonly sources: readonly string[];
  /** Outputs loaded together with this one, same form as `path`; packages by name. */
  readonly imports: readonly string[];
  /** What this one loads when it needs it. */
  readonly lazyImports: readonly string[];
}

export interface Bundle {
  /** Absolute path of the file to start. */
  readonly entry: string;
  readonly outputs: readonly BundleOutput[];
  /** What is in it, relative to the repository. */
  readonly inputs: readonly string[];
}

/**
 * Bundles the binary: the entry, the program, and what only a rehearsal needs. What lay in the output's `cli` folder is
 * removed first.
 * @param root  the repository
 * @param outFolder  gets `cli/main.cjs`, the scripts that it loads and `THIRD-PARTY-LICENSES.txt`
 * @throws what esbuild says when a source does not build; a bundled package without a licence
 */
export async function buildBundle(root: string, outFolder: string): Promise<Bundle> {
  const outdir = join(outFolder, "cli");
  const options = sharedOptions(root);
  const start = { file: join(root, "app", "src", "program.ts"), name: "runProgram", along: sharedByWires(root) };
  // Two builds: in one, they would share many small chunks, and each costs time to find and load.
  const [entry, ...scripts] = await Promise.all([
    buildEntry(root, join(outdir, entryName), "."),
    ...["program.ts", "commands/rehearse.ts"].map((source) =>
      build({
        ...options,
        absWorkingDir: root,
        outdir,
        entryPoints: [join("app", "src", source)],
        plugins: [loadFromBeside(source), directImports(root, start)],
        splitting: true,
      }),
    ),
  ]);
  const builds = [entry, ...scripts];
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const ofWorkers = await buildWorkers(root, outdir);
  const inputs = [...builds.flatMap((built) => Object.keys(built.metafile.inputs)), ...ofWorkers];
  const licences = collectLicences(root, inputs);
  for (const file of entry.outputFiles) writeFileSync(file.path, file.text);
  await Promise.all(scripts.flatMap(({ outputFiles }) => outputFiles).map(writeScript));
  writeFileSync(join(outFolder, "THIRD-PARTY-LICENSES.txt"), licences);
  const shown = (path: string): string => relative(outFolder, join(root, path));
  return {
    entry: join(outdir, entryName),
    outputs: builds.flatMap((built) => describeOutputs(built.metafile, shown)),
    inputs,
  };
}

/** What all wires have in common: one of them is loaded for each run, and these would be seven chunks more. */
function sharedByWires(root: string): readonly string[] {
  const folder = join(root, "adapters", "providers", "src", "shared");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.startsWith("models"))
    .map((path) => join(folder, path));
}

/** What one file leaves to another, which lies beside it when the program runs. */
function loadFromBeside(source: string): Plugin {
  return {
    name: "load-from-beside",
    setup(sourceBuild) {
      sourceBuild.onResolve({ filter: /\/(?:program|rehearse)\.ts$/ }, ({ path, kind }) => {
        if (kind === "entry-point" || path.endsWith(source)) return undefined;
        return { path: `./${basename(path, ".ts")}.js`, external: true };
      });
    },
  };
}

function describeOutputs({ outputs }: Metafile, shown: (path: string) => string): readonly BundleOutput[] {
  return Object.entries(outputs).map(([path, { bytes, imports, inputs }]) => {
    const name = ({ path: target, external }: { path: string; external?: boolean }): string =>
      external === true ? target : shown(target);
    const targets = imports.filter(({ path: target }) => !target.startsWith("node:"));
    return {
      path: shown(path),
      bytes,
      sources: Object.keys(inputs),
      imports: targets.filter(({ kind }) => kind !== "dynamic-import").map(name),
      lazyImports: targets.filter(({ kind }) => kind === "dynamic-import").map(name),
    };
  });
}
