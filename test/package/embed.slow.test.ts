/** What is published, used from outside: the packed tarball, an empty project, strict types, plain Node. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildBundle } from "../../scripts/bundle/build-bundle.ts";
import { buildPackage } from "../../scripts/bundle/build-package.ts";

const root = join(import.meta.dirname, "../..");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-package-")));
const project = join(folder, "project");
const packageFolder = join(folder, "package");
/** The registry is asked for the packages with binaries. */
const setupLimitMs = 10 * 60_000;
/** Lines of a program that embeds the engine. */
const maxProgramLines = 20;
const run = promisify(execFile);

beforeAll(async () => {
  await run(process.execPath, [compiler, "-b", "tsconfig.json"], { cwd: root });
  await buildPackage(root, await buildBundle(root, join(folder, "dist")), packageFolder);
  const packed = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: packageFolder });
  cpSync(join(root, "examples", "embed"), project, { recursive: true });
  const install = ["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", [...install, join(folder, packed.stdout.trim())], { cwd: project });
}, setupLimitMs);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a program of 20 lines embeds the engine with a tool and an approval callback", async () => {
  const lines = readFileSync(join(project, "embed.ts"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(maxProgramLines);
  await run(process.execPath, [compiler, "-p", "tsconfig.json"], { cwd: project });
  const server = await rehearse(join(project, "scenario.json"));
  try {
    const env = {
      PATH: process.env["PATH"],
      CAPSTAN_HOME: join(folder, "home"),
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

test("its types say where a program is wrong: an option that is none, an answer that is none", async () => {
  const program = readFileSync(join(project, "embed.ts"), "utf8");
  writeFileSync(join(project, "option.ts"), program.replace("tools: [bell]", "tool: [bell]"));
  writeFileSync(join(project, "answer.ts"), program.replace('type: "approve"', 'type: "approved"'));
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--ignoreConfig"];
  const checked = run(process.execPath, [compiler, ...flags, "option.ts", "answer.ts"], { cwd: project });
  await expect(checked).rejects.toMatchObject({
    stdout: expect.stringMatching(/answer\.ts[^\n]*"approved"[^]*option\.ts[^\n]*'tool'/),
  });
});

test("the package holds nothing of the workspace: no names of its packages, no sources, the licences of what is in it", () => {
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

/** `capstan rehearse` of the installed package. */
async function rehearse(scenario: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const capstan = join(project, "node_modules", ".bin", "capstan");
  const child = spawn(capstan, ["rehearse", scenario], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill("SIGINT");
    await exited;
  };
  let text = "";
  for await (const piece of child.stdout.setEncoding("utf8")) {
    text += String(piece);
    const url = / at (http:\S+)\n/.exec(text)?.[1];
    if (url !== undefined) return { url, close };
  }
  throw new Error(`capstan rehearse did not begin: ${text}`);
}
