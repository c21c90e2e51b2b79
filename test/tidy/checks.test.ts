/** Each house rule on small samples: what it lets through, and that it can fail. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkCycles, checkFolders, checkSize } from "./check-folders.ts";
import { checkAcyclic, checkImports } from "./check-imports.ts";
import { checkDocuments, checkReadme } from "./check-documents.ts";
import { checkLinks } from "./check-links.ts";
import { checkManifests, type PackageFiles } from "./check-manifests.ts";
import { checkMirror, checkShape } from "./check-shape.ts";
import { checkText } from "./check-text.ts";
import { checkWords } from "./check-words.ts";
import { importsOf } from "./import-graph.ts";
import type { Layer, Layers } from "./layers.ts";
import { bareCode, type SourceFile } from "./source-file.ts";

const layer: Layer = { name: "@capstan/engine", may: ["@capstan/protocol"], node: false, npm: ["yaml"] };

function file(path: string, text = ""): SourceFile {
  return { path, text };
}

function lines(count: number): string {
  return "x\n".repeat(count);
}

function checkImport(specifier: string, expected: string | undefined): void {
  const path = "core/engine/src/turn/open-turn.ts";
  const offences = checkImports("core/engine", layer, [file(path, `import { a } from "${specifier}";`)]);
  expect(offences).toEqual(expected === undefined ? [] : [`${path}:1: "${specifier}": ${expected}`]);
}

test("an import is allowed where layers.json lists it, and named with its reason where it does not", () => {
  checkImport("@capstan/protocol", undefined);
  checkImport("yaml", undefined);
  checkImport("./end-turn.ts", undefined);
  checkImport("../limits.ts", undefined);
  checkImport("@capstan/runtime", "this layer may not know that package");
  checkImport("@capstan/engine", "a package's own index: import the file that has it");
  checkImport("@capstan/protocol/src/ids.ts", "a deep import: use what the package's index exports");
  checkImport("zod", "this npm package is not listed for the layer");
  checkImport("@scope/name/deep", "this npm package is not listed for the layer");
  checkImport("node:fs", "this layer is platform-neutral: take a port");
  checkImport("../../../ports/src/tool.ts", "leaves the package: import it by name");
  checkImport("../../test/builders.ts", "leaves the package: import it by name");
  checkImport("../index.ts", "a package's own index: import the file that has it");
  checkImport("./end-turn", 'relative imports end in ".ts" or ".json"');
});

test("every form of import is seen, whatever stands between its words", () => {
  const text = `import "a1";\nimport type { T } from "a2";\nexport {\n  b,\n} from "a3";\nconst c = await import("a4");\nlet d: typeof import(\n  "a5"\n);`;
  expect(importsOf(text)).toEqual([
    { specifier: "a1", line: 1 },
    { specifier: "a2", line: 2 },
    { specifier: "a3", line: 5 },
    { specifier: "a4", line: 6 },
    { specifier: "a5", line: 7 },
  ]);
});

function layersWhere(may: Readonly<Record<string, readonly string[]>>): Layers {
  return Object.fromEntries(
    Object.entries(may).map(([name, names]) => [name, { name, may: names, node: true, npm: [] }]),
  );
}

test("a cycle between packages is found, however long", () => {
  expect(checkAcyclic(layersWhere({ a: ["b", "c"], b: ["c"], c: [] }))).toEqual([]);
  expect(checkAcyclic(layersWhere({ a: ["b"], b: ["c"], c: ["b"] }))).toEqual([
    "b may import itself through others",
    "c may import itself through others",
  ]);
});

function imports(path: string, ...targets: readonly string[]): SourceFile {
  return file(path, ["", ...targets.map((target) => `import type { T } from "${target}";`)].join("\n"));
}

test("an import from a lower folder of a package into a higher one is named with its line", () => {
  const ordered: Layer = { ...layer, folders: ["model", "ports.ts", "turn", "."] };
  const good = [
    imports("core/engine/src/index.ts", "./model/state.ts", "./turn/open-turn.ts", "./start.ts"),
    imports("core/engine/src/limits.ts"),
    imports("core/engine/src/start.ts", "./turn/open-turn.ts", "./model/state.ts", "./ports.ts"),
    imports("core/engine/src/ports.ts", "./model/state.ts"),
    imports(
      "core/engine/src/turn/open-turn.ts",
      "../model/state.ts",
      "./end/end-turn.ts",
      "../limits.ts",
      "../ports.ts",
    ),
    imports("core/engine/src/turn/end/end-turn.ts", "../../model/state.ts"),
    imports("core/engine/src/model/state.ts", "../limits.ts"),
  ];
  const check = (...files: readonly SourceFile[]): readonly string[] => checkFolders("core/engine", ordered, files);
  expect(check(...good)).toEqual([]);
  const others = good.slice(0, -1);
  expect(
    check(...others, imports("core/engine/src/model/state.ts", "../limits.ts", "../turn/end/end-turn.ts")),
  ).toEqual(['core/engine/src/model/state.ts:3: "model" may not import "turn", which stands above it']);
  expect(check(...others, imports("core/engine/src/model/state.ts", "../ports.ts", "../start.ts"))).toEqual([
    'core/engine/src/model/state.ts:2: "model" may not import "ports.ts", which stands above it',
    'core/engine/src/model/state.ts:3: "model" may not import ".", which stands above it',
  ]);
  expect(check(...good, file("core/engine/src/other/a.ts"))).toEqual([
    'core/engine/src/other/a.ts:1: "other" has no place in the package\'s order of folders: model, ports.ts, turn, .',
  ]);
  expect(
    checkFolders("core/engine", layer, [...others, imports("core/engine/src/model/state.ts", "../start.ts")]),
  ).toEqual([]);
});

test("files that import one another are named once, also where only types are meant", () => {
  const chain = [
    imports("host/src/a.ts", "./b.ts", "./c.ts"),
    imports("host/src/b.ts", "./c.ts"),
    file("host/src/c.ts"),
  ];
  expect(checkCycles(chain)).toEqual([]);
  expect(
    checkCycles([
      imports("host/src/a.ts", "./d.ts", "./c.ts"),
      imports("host/src/b.ts", "./c.ts"),
      imports("host/src/c.ts", "./a.ts"),
    ]),
  ).toEqual(["host/src/a.ts:3: imports itself through host/src/c.ts"]);
  expect(checkCycles([imports("host/src/a.ts", "./a.ts")])).toEqual([
    "host/src/a.ts:2: imports itself through host/src/a.ts",
  ]);
});

test("a package with more lines than it is granted is named", () => {
  const files = [file("core/engine/src/a.ts", lines(60)), file("core/engine/src/b.ts", lines(40))];
  expect(checkSize("core/engine", { ...layer, maxLines: 100 }, files)).toEqual([]);
  expect(checkSize("core/engine", layer, files)).toEqual([]);
  expect(checkSize("core/engine", { ...layer, maxLines: 99 }, files)).toEqual([
    "core/engine/src: 100 lines; more than the 99 of layers.json",
  ]);
});

test("a manifest that says something else than layers.json is named", () => {
  const layers: Layers = {
    "core/engine": layer,
    "core/protocol": { name: "@capstan/protocol", may: [], node: false, npm: [] },
  };
  const protocol: PackageFiles = { manifest: { name: "@capstan/protocol", version: "1.0.0" }, project: {} };
  const engine: PackageFiles = {
    manifest: {
      name: "@capstan/engine",
      version: "1.0.0",
      dependencies: { "@capstan/protocol": "1.0.0", yaml: "4.0.7" },
    },
    project: { references: [{ path: "../protocol" }] },
  };
  const bad: PackageFiles = {
    manifest: { name: "engine", version: "0.9.0", dependencies: { zod: "^4.6.7" } },
    project: { references: [{ path: "../ports" }] },
  };
  expect(checkManifests(layers, { "core/engine": engine, "core/protocol": protocol }, "1.0.0")).toEqual([]);
  expect(checkManifests(layers, { "core/engine": bad }, "1.0.0")).toEqual([
    "core/engine/package.json: name lacks @capstan/engine, which layers.json has",
    "core/engine/package.json: name has engine, which layers.json has not",
    "core/engine/package.json: version lacks 1.0.0, which layers.json has",
    "core/engine/package.json: version has 0.9.0, which layers.json has not",
    "core/engine/package.json: dependencies lacks @capstan/protocol, which layers.json has",
    "core/engine/package.json: dependencies lacks yaml, which layers.json has",
    "core/engine/package.json: dependencies has zod, which layers.json has not",
    "core/engine/tsconfig.json: references lacks core/protocol, which layers.json has",
    "core/engine/tsconfig.json: references has core/ports, which layers.json has not",
    'core/engine/package.json: zod "^4.6.7" is not an exact version',
    "core/protocol: in layers.json, but there is no such package",
  ]);
});

test("long files, empty names, odd names and crowded folders are named", () => {
  expect(
    checkShape([
      file("host/src/a-b2.ts", lines(400)),
      file("host/test/a.test.ts", lines(600)),
      file("vitest.config.ts"),
    ]),
  ).toEqual([]);
  expect(checkShape([file("host/src/a.ts", lines(401)), file("host/test/a.test.ts", lines(601))])).toEqual([
    "host/src/a.ts: 401 lines; more than 400 hold more than one idea",
    "host/test/a.test.ts: 601 lines; more than 600 hold more than one idea",
  ]);
  expect(
    checkShape([
      file("host/src/utils/a.ts"),
      file("host/src/helpers.ts"),
      file("host/src/openTurn.ts"),
      file("host/src/Big/a.ts"),
    ]),
  ).toEqual([
    'host/src/utils/a.ts: "utils" names no topic',
    'host/src/helpers.ts: "helpers" names no topic',
    'host/src/openTurn.ts: "openTurn" is not kebab-case',
    'host/src/Big/a.ts: "Big" is not kebab-case',
  ]);
  const crowd = Array.from({ length: 21 }, (_, index) => file(`host/src/door/part-${index}.ts`));
  expect(checkShape(crowd)).toEqual(["host/src/door: 21 files; more than 20 hide a topic"]);
});

test("a test without a source folder of its name is named", () => {
  const sources = [file("host/src/index.ts"), file("host/src/config/files/read.ts")];
  const good = [
    "host/test/any.test.ts",
    "host/test/config/layers.test.ts",
    "host/test/config/files/read.test.ts",
    "host/test/fixtures/place.ts",
  ];
  expect(
    checkMirror(
      "host",
      sources,
      good.map((path) => file(path)),
    ),
  ).toEqual([]);
  expect(checkMirror("host", sources, [file("host/test/door/rate.test.ts")])).toEqual([
    "host/test/door/rate.test.ts: there is no host/src/door/ that it could test",
  ]);
});

function checkBan(path: string, text: string, expected: string | undefined): void {
  expect(checkText([file(path, text)])).toEqual(expected === undefined ? [] : [`${path}:1: ${expected}`]);
}

test("banned words are found in code, and not in strings and comments", () => {
  checkBan("host/src/a.ts", "const message = request.text; // no msg", undefined);
  checkBan("host/src/a.ts", 'const word = "msg" + `cfg ${size}`;', undefined);
  checkBan("host/src/a.ts", "const msg = 1;", '"msg": write the whole word');
  checkBan("host/src/a.ts", "const line = `${msg}`;", '"msg": write the whole word');
  checkBan("host/src/a.ts", 'export * from "./b.ts";', '"export *": name what is exported');
  checkBan(
    "host/src/a.ts",
    "const id = value as unknown as Id;",
    '"as unknown as": parse it, or mint it in one function',
  );
});

test("comments that put work off or silence a check are found", () => {
  checkBan("host/src/a.ts", 'const found = text.includes("TODO");', undefined);
  checkBan("host/src/a.ts", "// oxlint-disable-next-line no-bitwise -- modes are bits", undefined);
  checkBan("host/src/a.ts", "// TODO: later", '"// TODO": finish it, or open an issue');
  checkBan("host/src/a.ts", "// @ts-expect-error", '"@ts-expect-error": make the types right');
  checkBan(
    "host/src/a.ts",
    "// oxlint-disable-next-line no-bitwise",
    '"oxlint-disable": say why, after ` -- ` on the same line',
  );
});

test("a test that stands on an earlier build is found", () => {
  const line = 'const binary = join(root, "bin", "capstan");';
  checkBan("scripts/write-tour.ts", line, undefined);
  checkBan("test/a.slow.test.ts", line, '""bin", "capstan"": a fresh clone has no build: inject("capstanEntry")');
});

/** What the check of words says of one file. */
function wordProblems(path: string, text: string): readonly string[] {
  return checkWords([file(path, text)]);
}

test("replaced words are found in names of files, identifiers, comments, strings and documents", () => {
  expect(
    wordProblems("host/src/user-here.ts", "const user = surface(interfaces); // of Hugging Face, hearts\n"),
  ).toEqual([]);
  expect(wordProblems("host/src/person-here.ts", "")).toEqual([
    'host/src/person-here.ts: "person" in its name: write user',
  ]);
  for (const line of [
    "askPerson();",
    "const person = 1;",
    "// A person asks.",
    'say("no Person");',
    "- **person**: x",
  ]) {
    expect(wordProblems("a.md", `\n${line}`)).toEqual(['a.md:2: "person": write user']);
  }
  expect(wordProblems("a.ts", "// It goes   on.")).toEqual(['a.ts:1: "goes on": write continue or resume; happen']);
  expect(wordProblems("core/protocol/src/versions/upcasts.ts", "{ face, attendance }")).toEqual([]);
  expect(wordProblems("core/protocol/src/record.ts", "{ face }")).toEqual([
    'core/protocol/src/record.ts:1: "face": write frontend',
  ]);
});

test("what a layer must not hold is found in that layer, and allowed elsewhere", () => {
  checkBan("host/src/a.ts", "const home = process.env.HOME;", undefined);
  checkBan(
    "adapters/tools/src/a.ts",
    "const home = process.env.HOME;",
    '"process.env": nothing below host reads the environment or the home directory',
  );
  checkBan("core/runtime/src/a.ts", "async function run() {}", undefined);
  checkBan("core/engine/src/a.ts", "async function decide() {}", '"async": decisions know no promise');
  checkBan("core/ports/src/a.ts", "export interface Clock {}", undefined);
  checkBan("core/ports/src/a.ts", "export const clock = 1;", '"export const": ports hold no implementation');
  checkBan("host/test/a.test.ts", "vi.mock(path);", '"vi.mock": use the real part, or the testkit\'s');
});

test("code without comments and strings keeps its lines", () => {
  expect(bareCode('a("x // y"); // z\n/* m\n n */ b(`p\n${q} r`)')).toBe('a("");     \n    \n      b(`\n${q}`)');
});

test("a document's paths are looked for: from the root, as the end of a path, and as a link's target", () => {
  const paths = new Set([
    "core",
    "core/engine",
    "core/engine/src",
    "core/engine/src/turn",
    "core/engine/src/turn/turn.ts",
    "docs",
    "docs/a.md",
  ]);
  const check = (text: string): readonly string[] => checkDocuments([file("docs/a.md", text)], paths);
  const fine =
    "`core/engine` `core/engine/src/<part>/` `core/*` `turn/` `turn/turn.ts` `turn.ts` `NAME/id` `run|park` `dist/` [a](a.md#x) [b](../core) [c](https://x.org/y)";
  expect(check(fine)).toEqual([]);
  expect(check("x\n`core/engine/src/tool.ts` `tools/` `turns.ts` [a](b.md)")).toEqual(
    ["core/engine/src/tool.ts", "tools/", "turns.ts", "b.md"].map(
      (name) => `docs/a.md:2: "${name}": there is no such file or folder`,
    ),
  );
});

test("a README with wide lines, many words before its commands, or without commands is noticed", () => {
  const commands = "\n## Commands\n";
  expect(checkReadme(`${"é".repeat(120)}\n${"word ".repeat(20)}${commands}${"word\n".repeat(800)}`)).toEqual([]);
  expect(checkReadme(`${"x".repeat(121)}\n${"word\n".repeat(700)}${commands}`)).toHaveLength(2);
  expect(checkReadme("short\n")).toEqual(["README.md: it has no section Commands"]);
});

test("links to nowhere, to places of one machine and out of the project are named; links inside are let through", () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-links-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, "project");
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(join(folder, "outside"), "");
  writeFileSync(join(root, "a.md"), "");
  const links = {
    "docs/a.md": "../a.md",
    "docs/up": "..",
    absolute: join(root, "a.md"),
    away: "../outside",
    above: "..",
    nowhere: "gone/bin/rg",
    through: "a.md/b",
    self: "self",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  expect(checkLinks(root, ["a.md", "docs", ...Object.keys(links)])).toEqual([
    `absolute: is a link to ${join(root, "a.md")}, a place of one machine; link relatively, or copy`,
    "away: is a link to ../outside, outside of the project",
    "above: is a link to .., outside of the project",
    "nowhere: is a link to gone/bin/rg, where nothing is",
    "through: is a link to a.md/b, where nothing is",
    "self: is a link to self, where nothing is",
  ]);
});
