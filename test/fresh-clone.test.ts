/** What a fresh clone relies on: lockfile, README, version, and a binary that loads no more than it needs. */
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { version } from "../app/src/version.ts";
import { version as libraryVersion } from "../library/src/version.ts";
import { type Bundle, buildBundle } from "../scripts/bundle/build-bundle.ts";
import { externalPackages } from "../scripts/bundle/shared-options.ts";
import { completePackages, type Lockfile, missingPackages } from "../scripts/lockfile/complete-packages.ts";
import { writeLauncher } from "../scripts/bundle/write-launcher.ts";
import { readLayers } from "./tidy/layers.ts";

/** Bytes. Without the rehearsal server and its schemas, which are about as large again. A tenth more costs a start about a millisecond. */
const maxProgramBytes = 1_300_000;
/** Each costs time to find and load: the program, what it shares with itself, what esbuild adds, and the reader of event streams. */
const maxStartFiles = 4;
/** Bytes. The entry holds the answer to `capstan version`, and what loads the program. */
const maxEntryBytes = 8192;

const root = join(import.meta.dirname, "..");

interface RootManifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest: RootManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("the version that is shown is the version that is published", () => {
  expect([version, libraryVersion]).toEqual([manifest.version, manifest.version]);
});

describe("the lockfile", () => {
  const { packages }: Lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const fetched = Object.entries(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  );

  test("serves every dependency, so that `npm ci` accepts it (else run `npm run lock`)", () => {
    expect(missingPackages(packages)).toEqual([]);
  });

  test("holds packages of the registry only, each with its digest", () => {
    // Platform packages that the registry in use did not have are known by name alone.
    const known = fetched.filter(
      ([, { optional, os, integrity }]) => optional !== true || os === undefined || integrity !== undefined,
    );
    const strange = known.filter(
      ([, { resolved, integrity = "" }]) => !isRegistryUrl(resolved) || !integrity.startsWith("sha512-"),
    );
    expect(fetched.length).toBeGreaterThan(0);
    expect(strange.map(([path]) => path)).toEqual([]);
  });

  test("serves an installation that runs no package's script", () => {
    const npmrc = readFileSync(join(root, ".npmrc"), "utf8");
    expect(npmrc).toMatch(/^ignore-scripts=true$/m);
    expect(npmrc).toMatch(/^engine-strict=true$/m);
    // esbuild's script only checks the binary that npm chose; fsevents is for macOS, where vite can do without; those of the
    // Gemini SDK and of protobufjs, which only tests use, prepare their own development.
    const scripted = fetched
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect([...new Set(scripted)].filter((name) => !workWithoutScript.has(name))).toEqual([]);
  });
});

const workWithoutScript: ReadonlySet<string> = new Set([
  "esbuild",
  "fsevents",
  "@photostructure/sqlite",
  "@google/genai",
  "protobufjs",
]);

/** Without an address npm asks the registry that is configured. */
function isRegistryUrl(url: string | undefined): boolean {
  return url === undefined || /^https:\/\/registry\.npmjs\.org\/[^?#]+\.tgz$/.test(url);
}

test("a lockfile is completed with platform packages that were left out, and with nothing else", () => {
  const tool = {
    version: "1.0.0",
    dev: true,
    dependencies: { lost: "2.0.0" },
    optionalDependencies: { "@x/y-linux-arm64-musl": "1.0.0", "@x/y-win32-x64": "1.0.0" },
  };
  const packages = { "": {}, "node_modules/@x/y-win32-x64": { version: "1.0.0" }, "node_modules/tool": tool };
  const completed = completePackages(packages);
  const added = { version: "1.0.0", cpu: ["arm64"], os: ["linux"], libc: ["musl"], dev: true, optional: true };
  expect(completed).toEqual({ ...packages, "node_modules/@x/y-linux-arm64-musl": added });
  expect(missingPackages(completed)).toEqual([
    { name: "lost", version: "2.0.0", neededBy: "node_modules/tool", isOptional: false },
  ]);
});

describe("the README", () => {
  const path = join(root, "README.md");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";

  test("names only scripts that exist", () => {
    const named = [...text.matchAll(/\bnpm run(?: -s| --silent)? ([\w:-]+)/g)].map(([, name = ""]) => name);
    const builtIn = [...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = ""]) => name);
    expect([...named, ...builtIn].filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
    expect([...new Set(builtIn)].toSorted()).toEqual(["start", "test"]);
  });

  test("and CI run the same test commands, the fast tier first", () => {
    for (const command of ["npm ci && npm test", "npm run test:all"]) expect(text).toContain(command);
    const script = readFileSync(join(root, ".ci", "run"), "utf8");
    expect(script.trimEnd()).toMatch(/\nnpm ci && npm test\nnpm run test:all$/);
    accessSync(join(root, ".ci", "run"), constants.X_OK);
  });
});

describe("the bundle", () => {
  // Inside the repository, so that the external packages are found.
  const folder = mkdtempSync(join(root, "node_modules", ".capstan-house-"));
  let bundle: Bundle = { entry: "", outputs: [], inputs: [] };
  beforeAll(async () => {
    bundle = await buildBundle(root, join(folder, "dist"));
    // Three builds at once, on a machine that may do other things meanwhile.
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test("answers `version` from one small file", () => {
    const entry = bundle.outputs.find(({ path }) => path === "cli/main.cjs");
    expect(entry?.imports.filter((name) => !isNodeModule(name))).toEqual([]);
    expect(entry?.lazyImports).toEqual([]);
    expect(entry?.bytes).toBeLessThan(maxEntryBytes);
  });

  test("holds everything but Node's modules and the packages with binaries", () => {
    const own = new Set(bundle.outputs.map(({ path }) => path));
    const outside = bundle.outputs
      .flatMap(({ imports, lazyImports }) => [...imports, ...lazyImports])
      .filter((name) => !own.has(name));
    const expected: ReadonlySet<string> = new Set(["./rehearse.js", ...externalPackages, ...optionalPackages]);
    expect([...new Set(outside)].filter((name) => !expected.has(name) && !isNodeModule(name))).toEqual([]);
  });

  test("leaves what only a rehearsal needs to a file of its own", () => {
    const loaded = startOf(bundle);
    expect(loaded.flatMap(({ lazyImports }) => lazyImports)).toContain("./rehearse.js");
    expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(maxProgramBytes);
  });

  test("starts a run from few files, and without what other commands need", () => {
    const loaded = startOf(bundle);
    expect(loaded.length).toBeLessThanOrEqual(maxStartFiles);
    const text = loaded.map(({ path }) => readFileSync(join(folder, "dist", path), "utf8")).join("\n");
    const held = (name: string): boolean => new RegExp(`function ${name}\\b`).test(text);
    expect(["createHost", "loadSettings", "decideTrust", "chooseModel"].filter((name) => !held(name))).toEqual([]);
    const apart = [
      "checkInstallation",
      "auditTrail",
      "importSession",
      "readForeign",
      "refreshCatalog",
      "testPolicy",
      "addTrust",
      "appendMarkdown",
    ];
    expect(apart.filter(held)).toEqual([]);
  });

  test("loads the remote protocol and the dialects of other agents only for a program or another process that speaks them", () => {
    const started = new Set([...startOf(bundle), ...bundle.outputs.filter(({ path }) => path === "cli/main.cjs")]);
    expect([...started].flatMap(({ sources }) => sources).filter(isSpoken)).toEqual([]);
    const later = bundle.outputs.filter((output) => !started.has(output));
    expect(later.flatMap(({ sources }) => sources).filter(isSpoken).length).toBeGreaterThan(0);
  });

  test("comes with a launcher that runs from anywhere", async () => {
    const launcher = await writeLauncher(root, folder, bundle.entry);
    expect(execFileSync(launcher, ["version"], { encoding: "utf8", cwd: "/" })).toBe(`capstan ${version}\n`);
    expect(execFileSync(launcher, ["--help"], { encoding: "utf8", cwd: "/" })).toContain("Usage: capstan");
  });

  test("comes with the licence of every package in it", () => {
    const licences = readFileSync(join(folder, "dist", "THIRD-PARTY-LICENSES.txt"), "utf8");
    const named = [...licences.matchAll(/^=+\n(\S+) \S+ \(\S+\)\n=+$/gm)].map(([, name = ""]) => name);
    const direct = Object.values(readLayers(root))
      .filter(({ name }) => name !== "@capstan/testkit")
      .flatMap(({ npm }) => npm);
    expect(new Set(named).size).toBe(named.length);
    expect(direct.filter((name) => !externalPackages.includes(name) && !named.includes(name))).toEqual([]);
  });
});

function isSpoken(source: string): boolean {
  return /^(?:core\/remote|frontends\/dialects)\//.test(source) || source.includes("node_modules/zod/");
}

/** What is loaded before a run can begin. */
function startOf({ outputs }: Bundle): Bundle["outputs"] {
  const byPath = new Map(outputs.map((output) => [output.path, output]));
  const loaded = new Set(["cli/program.js"]);
  for (const path of loaded) for (const next of byPath.get(path)?.imports ?? []) loaded.add(next);
  return outputs.filter(({ path }) => loaded.has(path));
}

/** Asked for by bundled packages inside a `try`; nobody needs to have them. */
const optionalPackages: readonly string[] = ["supports-color", "kerberos"];

function isNodeModule(name: string): boolean {
  return process.getBuiltinModule(name) !== undefined;
}
