/** House rules that no linter states for us: a line per offence, each with its reason. The rules live in `test/tidy/`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkAcyclic, checkImports } from "./tidy/check-imports.ts";
import { checkManifests, type Manifest, type PackageFiles } from "./tidy/check-manifests.ts";
import { checkMirror, checkShape } from "./tidy/check-shape.ts";
import { checkText } from "./tidy/check-text.ts";
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

test("no package imports itself by way of others", () => {
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

function packageFiles(folder: string): PackageFiles {
  return {
    manifest: JSON.parse(readText(`${folder}/package.json`)),
    project: JSON.parse(readText(`${folder}/tsconfig.json`)),
  };
}

function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
