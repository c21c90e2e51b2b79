/** What is published, used from outside: the packed tarball, an empty project, strict types, plain Node. */
import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiler, installInto, type PackedPackage, packPackage, rehearseIn, setupLimitMs } from "./packed-package.ts";

const root = join(import.meta.dirname, "../..");
/** Lines of a program that embeds the engine. */
const maxProgramLines = 20;
const run = promisify(execFile);
let packed: PackedPackage;
let project: string;

beforeAll(async () => {
  packed = await packPackage();
  project = join(packed.folder, "project");
  cpSync(join(root, "examples", "embed"), project, { recursive: true });
  await installInto(project, packed.tarball);
}, setupLimitMs);
afterAll(() => packed.remove());

test("a program of 20 lines embeds the engine with a tool and an approval callback", async () => {
  const lines = readFileSync(join(project, "embed.ts"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(maxProgramLines);
  await run(process.execPath, [compiler, "-p", "tsconfig.json"], { cwd: project });
  const server = await rehearseIn(project, join(project, "scenario.json"));
  try {
    const env = {
      PATH: process.env["PATH"],
      CAPSTAN_HOME: join(packed.folder, "home"),
      CAPSTAN_MODEL: "anthropic/rehearsal",
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "rehearsal",
    };
    const { stdout, stderr } = await run(process.execPath, ["embed.js"], { cwd: project, env });
    expect(stderr).toBe("");
    expect(stdout).toContain("Approved: ring_bell");
    expect(stdout).toContain("outcome: 'done'");
    expect(stdout).toContain("text: 'It rang twice.'");
  } finally {
    await server.close();
  }
});

test("its types say where a program is wrong: an option that is none, an answer that is none, a setting that does not fit its key", async () => {
  const program = readFileSync(join(project, "embed.ts"), "utf8");
  writeFileSync(join(project, "option.ts"), program.replace("tools: [bell]", "tool: [bell]"));
  writeFileSync(join(project, "answer.ts"), program.replace('type: "approve"', 'type: "approved"'));
  const setting =
    'await engine.setConfig("permissions.mode", "wild");\nawait engine.setConfig("limits.max_cost_usd", 2);\n';
  writeFileSync(join(project, "setting.ts"), program.replace("const session =", `${setting}const session =`));
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--ignoreConfig"];
  const checked = run(process.execPath, [compiler, ...flags, "option.ts", "answer.ts", "setting.ts"], { cwd: project });
  await expect(checked).rejects.toMatchObject({
    stdout: expect.stringMatching(
      /answer\.ts[^\n]*"approved"[^]*option\.ts[^\n]*'tool'[^]*setting\.ts[^\n]*"wild"[^\n]*\n$/,
    ),
  });
});

test("the package holds nothing of the workspace: no names of its packages, no sources, the licences of what is in it", () => {
  const { packageFolder } = packed;
  const {
    dependencies,
    optionalDependencies,
    private: isPrivate,
  } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(["@vscode/ripgrep", "jiti"]);
  expect(Object.keys(optionalDependencies)).toEqual(["@photostructure/sqlite"]);
  expect(isPrivate).toBeUndefined();
  const types = readdirSync(join(packageFolder, "types"), { recursive: true, encoding: "utf8" });
  const declarations = types.filter((path) => path.endsWith(".d.ts"));
  expect(declarations).toContain(join("library", "index.d.ts"));
  const texts = declarations.map((path) => readFileSync(join(packageFolder, "types", path), "utf8"));
  expect(texts.filter((text) => /from "@|sourceMappingURL/.test(text))).toEqual([]);
  const files = readdirSync(packageFolder, { recursive: true, encoding: "utf8" });
  expect(files.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt"]));
});
