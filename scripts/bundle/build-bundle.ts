import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin } from "esbuild";
import { collectLicences } from "./collect-licences.ts";
import { stateMark } from "../state-mark/state-mark.ts";
import { directImports } from "./direct-imports.ts";

/** Packages that carry binaries: they stay in node_modules, where npm chose the one for this platform. */
export const externalPackages: readonly string[] = ["@photostructure/sqlite", "@vscode/ripgrep"];

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
 * @param outFolder  gets `cli/main.js`, `cli/program.js`, `cli/rehearse.js` and `THIRD-PARTY-LICENSES.txt`
 * @throws what esbuild says when a source does not build; a bundled package without a licence
 */
export async function buildBundle(root: string, outFolder: string): Promise<Bundle> {
  const outdir = join(outFolder, "cli");
  const options = sharedOptions(root);
  const start = { file: join(root, "app", "src", "program.ts"), name: "runProgram" };
  // Three builds: in one, they would share many small chunks, and on Node 20 each module costs some 1.5 ms to find and load.
  const [entry, program, rehearsal] = await Promise.all(
    ["main.ts", "program.ts", "commands/rehearse.ts"].map((source) =>
      build({
        ...options,
        absWorkingDir: root,
        outdir,
        entryPoints: [join("app", "src", source)],
        plugins: [loadFromBeside(source), directImports(root, start)],
        splitting: true,
      }),
    ),
  );
  if (entry === undefined || program === undefined || rehearsal === undefined) throw new Error("a build is missing");
  const builds = [entry, program, rehearsal];
  const files = builds.flatMap((built) => built.outputFiles);
  const inputs = builds.flatMap((built) => Object.keys(built.metafile.inputs));
  const licences = collectLicences(root, inputs);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  for (const file of files) writeFileSync(file.path, withRequire(file));
  writeFileSync(join(outFolder, "THIRD-PARTY-LICENSES.txt"), licences);
  const shown = (path: string): string => relative(outFolder, join(root, path));
  return {
    entry: join(outdir, "main.js"),
    outputs: builds.flatMap((built) => describeOutputs(built.metafile, shown)),
    inputs,
  };
}

const shared = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  conditions: ["source"],
  mainFields: ["module", "main"],
  external: [...externalPackages],
  chunkNames: "[name]-[hash]",
  minifySyntax: true,
  minifyWhitespace: true,
  // Names stay: stack traces and error classes are read by people.
  minifyIdentifiers: false,
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "silent",
} as const satisfies BuildOptions;

/** How every build of ours is made. */
export function sharedOptions(root: string): typeof shared & { readonly define: Readonly<Record<string, string>> } {
  return { ...shared, define: { capstanStateMark: JSON.stringify(stateMark(root)) } };
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

/** Bundled CommonJS packages ask for Node's modules by `require`, which a module does not have. Only the chunk that asks pays. */
export function withRequire({ text }: OutputFile): string {
  if (!text.includes("Dynamic require of")) return text;
  return `import{createRequire as capstanCreateRequire}from"node:module";const require=capstanCreateRequire(import.meta.url);\n${text}`;
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
