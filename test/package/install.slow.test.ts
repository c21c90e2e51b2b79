/** What a new user does first: an empty prefix and home, `npm install --global`, and the first words, on each Node that is promised. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { version } from "../../app/src/version.ts";
import { buildBundle } from "../../scripts/bundle/build-bundle.ts";
import { buildPackage } from "../../scripts/bundle/build-package.ts";
import { parseScenario, startRehearsal } from "../../testing/rehearsal/src/index.ts";
import { fetchNode, Installed, otherNodes, type Runtime } from "./installed.ts";

const root = join(import.meta.dirname, "../..");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-install-")));
const scenario = join(import.meta.dirname, "first-words.json");
/** The registry is asked for a Node and for the packages with binaries. */
const setupLimitMs = 10 * 60_000;
const run = promisify(execFile);
let tarball = "";

beforeAll(async () => {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  await run(process.execPath, [compiler, "-b", "tsconfig.json"], { cwd: root });
  const built = join(folder, "package");
  // Inside the repository, so that the program finds its packages when it prints its manual page.
  const inside = mkdtempSync(join(root, "node_modules", ".capstan-install-"));
  try {
    await buildPackage(root, await buildBundle(root, inside), built);
  } finally {
    rmSync(inside, { recursive: true });
  }
  const packed = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: built });
  tarball = join(folder, packed.stdout.trim());
}, setupLimitMs);
afterAll(() => rmSync(folder, { recursive: true, force: true }), setupLimitMs);

describe.each([process.versions.node, ...otherNodes])("with Node %s", (node) => {
  // A space in it, as macOS and Windows users have.
  const place = join(folder, `node ${node}`);
  let installed: Installed;

  beforeAll(async () => {
    const runtime: Runtime =
      node === process.versions.node ? { node: process.execPath } : await fetchNode(node, join(place, "runtime"));
    installed = new Installed(runtime, join(place, "a prefix"), join(place, "home"));
    await installed.npm("install", "--global", tarball);
  }, setupLimitMs);

  test("it is on the path, answers, and has its manual page", async () => {
    expect(await installed.capstan(["-v"])).toEqual({ stdout: `capstan ${version}\n`, stderr: "" });
    expect(await installed.capstan(["sessions", "list"])).toEqual({ stdout: "No sessions yet.\n", stderr: "" });
    const page = readFileSync(join(installed.prefix, "share", "man", "man1", "capstan.1"), "utf8");
    expect(page).toContain(`capstan ${version}`);
    const { stdout } = await installed.capstan(["version", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version, node });
  });

  test("the first words start a session, which the next process continues with, and no warning of Node's is shown", async () => {
    const server = await startRehearsal({ scenario: parseScenario(readFileSync(scenario, "utf8"), scenario) });
    try {
      const env = { ANTHROPIC_API_KEY: "rehearsal", ANTHROPIC_BASE_URL: server.url };
      const cwd = join(place, "a workspace");
      mkdirSync(cwd);
      const words = ["-p", "say the first word", "-m", "anthropic/rehearsal"];
      const first = await installed.capstan(words, { cwd, env });
      expect(first.stdout).toContain("The first word.");
      const second = await installed.capstan(["-c", ...words.slice(0, 1), "and the second"], { cwd, env });
      expect(second.stdout).toContain("The second word.");
      expect(`${first.stderr}${second.stderr}`).not.toMatch(/warning|deprecat/i);
      const listed = await installed.capstan(["sessions", "list", "--json"], { cwd });
      expect(JSON.parse(listed.stdout)).toMatchObject({ turns: 2, title: "say the first word" });
    } finally {
      await server.close();
    }
  });

  test("bash completes commands and the ids of its own sessions", async () => {
    const { stdout: id } = await installed.capstan(["completion", "sessions"]);
    const driver = `eval "$(capstan completion bash)"
COMP_WORDS=(capstan sessions show "") COMP_CWORD=3; _capstan capstan "" show; echo "\${COMPREPLY[@]}"
COMP_WORDS=(capstan sess) COMP_CWORD=1; _capstan capstan sess capstan; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await run("bash", ["--noprofile", "--norc", "-c", driver], { env: installed.environment });
    expect(stdout).toBe(`${id.split("\t")[0]}\nsessions\n`);
  });

  test("a second installation over the first changes nothing, and uninstalling leaves sessions and nothing else", async () => {
    await installed.npm("install", "--global", tarball);
    expect((await installed.capstan(["-v"])).stdout).toBe(`capstan ${version}\n`);
    expect((await installed.capstan(["sessions", "list"])).stdout).toContain("say the first word");
    await installed.npm("uninstall", "--global", "capstan");
    const left = readdirSync(installed.prefix, { recursive: true, encoding: "utf8" });
    expect(left.filter((path) => path.includes("capstan"))).toEqual([]);
    expect(existsSync(join(place, "home", ".capstan", "capstan.db"))).toBe(true);
  });
});
