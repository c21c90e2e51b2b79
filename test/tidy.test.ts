/** House rules that no linter states for us: a line per offence, each with its reason. The rules live in `test/tidy/`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkCycles, checkFolders, checkSize } from "./tidy/check-folders.ts";
import { checkAcyclic, checkImports } from "./tidy/check-imports.ts";
import { checkDocuments, checkReadme } from "./tidy/check-documents.ts";
import { checkLinks } from "./tidy/check-links.ts";
import { checkManifests, type Manifest, type PackageFiles } from "./tidy/check-manifests.ts";
import { checkMirror, checkShape } from "./tidy/check-shape.ts";
import { checkText } from "./tidy/check-text.ts";
import { checkWords } from "./tidy/check-words.ts";
import { readLayers } from "./tidy/layers.ts";
import { sourceFiles } from "./tidy/source-file.ts";

const root = join(import.meta.dirname, "..");
const layers = readLayers(root);
const folders = Object.keys(layers);
/** Ports hold no implementation; the testkit is exercised by everyone's tests. */
const testless: ReadonlySet<string> = new Set(["core/ports", "testing/testkit"]);
const sources = new Map(folders.map((folder) => [folder, sourceFiles(root, `${folder}/src`)]));
const tests = new Map(folders.map((folder) => [folder, sourceFiles(root, `${folder}/test`)]));
const houseFiles = ["test", "scripts", "bench", "torture", "attacks", "examples"].flatMap((folder) =>
  sourceFiles(root, folder),
);
const allFiles = [...sources.values(), ...tests.values(), houseFiles].flat();
// Its samples and rules are full of what they forbid.
const readFiles = allFiles.filter(({ path }) => !path.startsWith("test/tidy"));

test("every package in layers.json has source files to look at", () => {
  expect(folders.filter((folder) => sources.get(folder)?.length === 0)).toEqual([]);
});

test("every package that does something has tests", () => {
  expect(folders.filter((folder) => tests.get(folder)?.length === 0).filter((folder) => !testless.has(folder))).toEqual(
    [],
  );
});

test("every workspace is in layers.json, and nothing else is", () => {
  const { workspaces }: { readonly workspaces: readonly string[] } = JSON.parse(readText("package.json"));
  expect([...workspaces].toSorted()).toEqual(folders.toSorted());
});

test("every import obeys layers.json", () => {
  expect(
    Object.entries(layers).flatMap(([folder, layer]) => checkImports(folder, layer, sources.get(folder) ?? [])),
  ).toEqual([]);
});

test("within a package, imports between folders point downwards", () => {
  expect(
    Object.entries(layers).flatMap(([folder, layer]) => checkFolders(folder, layer, sources.get(folder) ?? [])),
  ).toEqual([]);
});

test("no file imports itself through others, not even for types", () => {
  expect(folders.flatMap((folder) => checkCycles(sources.get(folder) ?? []))).toEqual([]);
});

test("no package has more lines than layers.json grants it", () => {
  expect(
    Object.entries(layers).flatMap(([folder, layer]) => checkSize(folder, layer, sources.get(folder) ?? [])),
  ).toEqual([]);
});

test("no package imports itself through others", () => {
  expect(checkAcyclic(layers)).toEqual([]);
});

test("layers.json, package.json and tsconfig.json of every package say the same", () => {
  const packages = Object.fromEntries(folders.map((folder) => [folder, packageFiles(folder)]));
  const { version }: Manifest = JSON.parse(readText("package.json"));
  expect(checkManifests(layers, packages, version)).toEqual([]);
});

test("files are short, named for a topic, and few per folder", () => {
  expect(checkShape(allFiles)).toEqual([]);
});

test("every test belongs to a source file or a topic", () => {
  expect(folders.flatMap((folder) => checkMirror(folder, sources.get(folder) ?? [], tests.get(folder) ?? []))).toEqual(
    [],
  );
});

test("no banned word or construct is used", () => {
  expect(checkText(readFiles)).toEqual([]);
});

test("no name, comment, message or document has a word that the project has replaced", () => {
  const documents = repositoryPaths("")
    .filter((path) => /^(?:[A-Z]+|docs\/(?!reference\/).*|.*README)\.md$/.test(path))
    .map((path) => ({ path, text: readText(path) }));
  expect(documents.length).toBeGreaterThan(40);
  expect(checkWords([...readFiles, ...documents])).toEqual([]);
});

test("every file and folder that README, ARCHITECTURE, AGENTS and docs name is there", () => {
  const paths = new Set(repositoryPaths(""));
  const documents = [...paths]
    .filter((path) => /^(?:README|ARCHITECTURE|AGENTS)\.md$|^docs\/[^/]+\.md$/.test(path))
    .map((path) => ({ path, text: readText(path) }));
  expect(documents.length).toBeGreaterThan(3);
  expect(checkDocuments(documents, paths)).toEqual([]);
});

test("no link leads out of the project, or nowhere", () => {
  expect(checkLinks(root, repositoryPaths(""))).toEqual([]);
});

test("the README is short before its commands, and its lines fit a screen", () => {
  expect(checkReadme(readText("README.md"))).toEqual([]);
});

/** Every file and folder, without what is installed or built. */
function repositoryPaths(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist", "bin", ".git"].includes(name))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? [path, ...repositoryPaths(path)] : [path];
    });
}

function packageFiles(folder: string): PackageFiles {
  return {
    manifest: JSON.parse(readText(`${folder}/package.json`)),
    project: JSON.parse(readText(`${folder}/tsconfig.json`)),
  };
}

function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
