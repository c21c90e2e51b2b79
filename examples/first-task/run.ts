/** The README's first command: a real coding task, from a failing test to a green one, on a repository made on the spot. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import pc from "picocolors";

const here = import.meta.dirname;
const capstan = join(here, "../../bin/capstan");
const task = "The test suite fails. Find out why, fix the cause, add a test that keeps it fixed, and run the tests.";
const childLimitMs = 10 * 60_000;

const folder = mkdtempSync(join(tmpdir(), "capstan-first-task-"));
const repository = makeRepository(join(folder, "corner-shop"));
const realModel = modelWithKey();
const rehearsal = realModel === undefined ? await rehearse() : undefined;
try {
  say(`A small shop with a failing test, under git, in ${repository}`);
  say(
    rehearsal === undefined
      ? `The model: ${realModel}.`
      : "The model: SCRIPTED. No key is set, so its words come from examples/first-task/scenario.json; tools, files, tests and wire are real.",
  );
  say(`The task: ${task}\n`);
  const code = await runCapstan(rehearsal);
  say("\nWhat changed (git diff):");
  show("git", ["--no-pager", "diff", ...(pc.isColorSupported ? ["--color"] : [])]);
  say("The tests now (node --test):");
  const tests = show("node", ["--test"]);
  showNext(rehearsal);
  process.exitCode = code === 0 && tests === 0 ? 0 : 1;
  if (process.exitCode !== 0)
    say(pc.red(`The task was not done (capstan ended with ${code}, the tests with ${tests}).`));
} finally {
  await rehearsal?.close();
  if (rehearsal !== undefined) rmSync(folder, { recursive: true, force: true });
}

function makeRepository(path: string): string {
  cpSync(join(here, "repository"), path, { recursive: true });
  const identity = [
    "-c",
    "user.name=Corner Shop",
    "-c",
    "user.email=shop@example.invalid",
    "-c",
    "commit.gpgsign=false",
  ];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    [...identity, "commit", "-q", "-m", "A shop with bulk discounts"],
  ]) {
    const done = spawnSync("git", args, { cwd: path, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")} failed: ${done.stderr || String(done.error)}`);
  }
  return path;
}

function modelWithKey(): string | undefined {
  if (process.env["CAPSTAN_MODEL"] !== undefined) return process.env["CAPSTAN_MODEL"];
  if (process.env["ANTHROPIC_API_KEY"]) return "anthropic/claude-sonnet-5-5";
  if (process.env["OPENAI_API_KEY"]) return "openai/gpt-5.2";
  return process.env["GEMINI_API_KEY"] || process.env["GOOGLE_API_KEY"] ? "google/gemini-3-pro-preview" : undefined;
}

function rehearse(): Promise<Rehearsal> {
  return startRehearsal({
    scenario: parseScenario(readFileSync(join(here, "scenario.json"), "utf8"), "scenario.json"),
  });
}

function runCapstan(server: Rehearsal | undefined): Promise<number> {
  const args = [
    "run",
    "-C",
    repository,
    "--permission-mode",
    "accept-edits",
    "--allow",
    "run_command(node --test)",
    "--allow",
    "run_command(npm test)",
    ...(server === undefined ? [] : withoutSandbox()),
  ];
  const scripted =
    server === undefined
      ? {}
      : { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "rehearsal", CAPSTAN_HOME: join(folder, "home") };
  const model = server === undefined ? (realModel ?? "") : "anthropic/rehearsal";
  const child = spawn(process.execPath, [capstan, ...args, "-m", model, task], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...scripted },
    timeout: childLimitMs,
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** What the scripted model runs is known; a real one gets no shell where nothing keeps it apart and nobody is asked. */
function withoutSandbox(): readonly string[] {
  if (spawnSync("bwrap", ["--version"]).status === 0) return [];
  say("There is no bubblewrap here, so the scripted commands run without a sandbox (`apt install bubblewrap`).\n");
  return ["--set", "sandbox.unavailable=run_without_isolation"];
}

function show(command: string, args: readonly string[]): number {
  // A test runner inside a test runner reports to its parent; here it should report to the user.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return (
    spawnSync(command, args, { cwd: repository, stdio: ["ignore", "inherit", "inherit"], env, timeout: childLimitMs })
      .status ?? 1
  );
}

function showNext(server: Rehearsal | undefined): void {
  if (server === undefined) return say(`\nThe repository stays in ${repository}.`);
  say("\nThat was a rehearsal: the model's words were scripted, everything else was real.");
  say(
    "With a real model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and run `npm start` again, or, in a project of yours:",
  );
  say(`  ${capstan} run --permission-mode accept-edits "your task"`);
}

function say(text: string): void {
  process.stdout.write(`${pc.bold(text)}\n`);
}
