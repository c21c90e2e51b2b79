import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build, type OutputFile } from "esbuild";
import type { Bundle } from "./build-bundle.ts";
import { externalPackages, sharedOptions } from "./shared-options.ts";
import { buildWorkers } from "./build-workers.ts";
import { collectLicences } from "./collect-licences.ts";
import { collectTypes } from "./collect-types.ts";
import { directImports } from "./direct-imports.ts";
import { writeLauncher } from "./write-launcher.ts";
import { readLayers } from "../../test/tidy/layers.ts";

/**
 * Writes the one package that is published: the binary with its manual page, the library and its types. It needs the declarations that `tsc -b` makes.
 * @param outFolder  what lay there is removed first
 */
export async function buildPackage(root: string, bundle: Bundle, outFolder: string): Promise<void> {
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  cpSync(dirname(bundle.entry), join(outFolder, "cli"), { recursive: true });
  await writeLauncher(root, outFolder, join(outFolder, "cli", basename(bundle.entry)));
  // As the binary itself prints it; nothing of the environment is in it.
  write(join(outFolder, manualPath), execFileSync(process.execPath, [bundle.entry, "manual"], { encoding: "utf8" }));
  const libraryInputs = await buildLibrary(root, join(outFolder, "library"));
  for (const { path, text } of collectTypes(root, "library")) write(join(outFolder, "types", path), text);
  for (const file of ["README.md", "CHANGELOG.md", "LICENSE"]) cpSync(join(root, file), join(outFolder, file));
  write(join(outFolder, "THIRD-PARTY-LICENSES.txt"), collectLicences(root, [...bundle.inputs, ...libraryInputs]));
  write(join(outFolder, "package.json"), `${JSON.stringify(manifestOf(root), null, 2)}\n`);
}

const manualPath = "man/capstan.1";

/** @returns the bundled files, relative to the root */
async function buildLibrary(root: string, outdir: string): Promise<readonly string[]> {
  const start = { file: join(root, "library", "src", "engine.ts"), name: "Engine" };
  const { outputFiles, metafile } = await build({
    ...sharedOptions(root),
    absWorkingDir: root,
    outdir,
    entryPoints: [join("library", "src", "index.ts")],
    plugins: [directImports(root, start)],
    splitting: true,
  });
  for (const file of outputFiles) write(file.path, withRequire(file));
  return [...Object.keys(metafile.inputs), ...(await buildWorkers(root, outdir))];
}

/** Bundled CommonJS packages ask for Node's modules by `require`, which a module does not have. Only the chunk that asks pays. */
function withRequire({ text }: OutputFile): string {
  if (!text.includes("Dynamic require of")) return text;
  return `import{createRequire as capstanCreateRequire}from"node:module";const require=capstanCreateRequire(import.meta.url);\n${text}`;
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifestOf(root: string): object {
  const { version, license, engines } = readManifest(join(root, "package.json"));
  const known = Object.assign(
    {},
    ...Object.keys(readLayers(root)).map(
      (folder) => readManifest(join(root, folder, "package.json")).dependencies ?? {},
    ),
  );
  return {
    name: "capstan",
    version,
    description: "An agent engine: a command line, and a library with one entry.",
    license,
    type: "module",
    keywords: ["agent", "cli", "llm", "coding-agent"],
    bin: { capstan: "bin/capstan" },
    man: [manualPath],
    os: ["linux", "darwin"],
    exports: { ".": { types: "./types/library/index.d.ts", default: "./library/index.js" } },
    sideEffects: false,
    dependencies: pick(known, (name) => !isOptional(name)),
    optionalDependencies: pick(known, isOptional),
    engines,
  };
}

/** Node has its own from 22.16 on: there the package may be missing. */
function isOptional(name: string): boolean {
  return name === "@photostructure/sqlite";
}

function pick(versions: Readonly<Record<string, string>>, isWanted: (name: string) => boolean): object {
  return Object.fromEntries(externalPackages.filter(isWanted).map((name) => [name, versions[name]]));
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8"));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
