import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseScenario, type Rehearsal, type Scenario, startRehearsal } from "@capstan/rehearsal";
import { answerQuestions } from "./answer-questions.ts";
import { type Place, run, type Running, start, typed } from "./capstan.ts";
import { openShop } from "./shop.ts";

const task = "The test suite fails. Find out why, fix the cause, add a test that keeps it fixed, and run the tests.";
/** The scripted answer that stops in the middle, counted from 0: the model knows the cause and has changed nothing. */
const brokenTurn = 2;
const brokenAfterBytes = 900;
/** A real model is interrupted after so many calls. */
const callsBeforeKill = 3;
/** For the pieces of the scripted answer to arrive before the kill. */
const piecesMs = 500;

export interface Demonstration {
  /** The binary's JavaScript file. */
  readonly capstan: string;
  /** Holds the shop and, for the scripted model, Capstan's data. */
  readonly folder: string;
  /** A model that can be asked; without it the model is scripted. */
  readonly model?: string;
  readonly env: NodeJS.ProcessEnv;
  /** A heading for the reader. */
  readonly say: (text: string) => void;
  /** A line of a program. */
  readonly print: (line: string) => void;
}

/**
 * A coding task whose run is killed half-way, resumed, asked about from another process, and audited.
 * @returns whether the task was done, and everything it left proved to be as it should
 */
export async function showPromises(demonstration: Demonstration): Promise<boolean> {
  const { folder, model, say } = demonstration;
  const shop = join(folder, "corner-shop");
  mkdirSync(folder, { recursive: true });
  openShop(shop);
  say(`A small shop under git, whose tests fail: ${shop}`);
  if (model !== undefined) {
    say(`The model: ${model}.`);
    return showWith(demonstration, shop, model, undefined);
  }
  say("The model: SCRIPTED, since no key is set. Tools, files, tests and network protocol are real.");
  const stopped = new AbortController();
  const rehearsal = await startRehearsal({
    scenario: brokenScenario(),
    onExchange: ({ fault }) => {
      if (fault !== undefined) void pause(piecesMs).then(() => stopped.abort());
    },
  });
  try {
    return await showWith(demonstration, shop, "anthropic/scripted", { rehearsal, stopped: stopped.signal });
  } finally {
    await rehearsal.close();
  }
}

/** A scripted model, and when it has stopped in the middle of an answer. */
interface Script {
  readonly rehearsal: Rehearsal;
  readonly stopped: AbortSignal;
}

function brokenScenario(): Scenario {
  const scenario = parseScenario(readFileSync(join(import.meta.dirname, "scenario.json"), "utf8"), "scenario.json");
  const turns = scenario.turns.map((turn, index) =>
    index === brokenTurn
      ? { ...turn, fault: { type: "stall" as const, times: 1, afterBytes: brokenAfterBytes } }
      : turn,
  );
  return { ...scenario, turns };
}

async function showWith(
  { capstan, folder, env, say, print }: Demonstration,
  shop: string,
  model: string,
  script: Script | undefined,
): Promise<boolean> {
  const place: Place = { capstan, cwd: shop, env: { ...env, ...scriptedEnv(folder, script) }, print };
  const flags = [
    "-m",
    model,
    "--on-ask",
    "wait",
    "--permission-mode",
    "default",
    "--allow",
    "run_command(node --test)",
  ];
  const inbox = answerQuestions(place, say);
  try {
    say(`\n1. Kill it at any instant: the run is killed half-way.\n`);
    await killHalfWay(place, ["run", ...flags, task], script, say);
    const id = await latestSession(place);
    say("\n2. Resume it, and answer it from anywhere: nothing is repeated, and another process says yes.\n");
    const resumed = await show(place, ["run", ...flags, "--resume", id]);
    say("\n3. Audit it afterwards: who asked, what was answered, allowed and done.\n");
    await showAudit(place, id);
    const verified = await show(place, ["audit", "verify", id]);
    say("\nWhat changed, and the tests:\n");
    const tests = showChanges(place);
    return resumed === 0 && verified === 0 && tests;
  } finally {
    await inbox.close();
  }
}

function scriptedEnv(folder: string, script: Script | undefined): NodeJS.ProcessEnv {
  if (script === undefined) return {};
  return {
    ANTHROPIC_BASE_URL: script.rehearsal.url,
    ANTHROPIC_API_KEY: "none-is-needed",
    CAPSTAN_HOME: join(folder, "capstan-home"),
  };
}

async function killHalfWay(
  place: Place,
  args: readonly string[],
  script: Script | undefined,
  say: (text: string) => void,
): Promise<void> {
  place.print(typed(args));
  const running = start(place, args);
  const kill = (): void => void running.child.kill("SIGKILL");
  if (script === undefined) killAfterCalls(running, kill);
  else if (script.stopped.aborted) kill();
  else script.stopped.addEventListener("abort", kill, { once: true });
  const code = await running.ended;
  say(code === null ? "\nKilled (SIGKILL), while the model was answering." : "\nIt ended before it could be killed.");
}

function killAfterCalls({ child, lines }: Running, kill: () => void): void {
  child.stderr?.on("data", () => {
    if (lines.filter((line) => /^ {2}[✓✗]/.test(line)).length >= callsBeforeKill) kill();
  });
}

async function latestSession(place: Place): Promise<string> {
  const { lines } = await run(place, ["sessions", "list", "--json", "--limit", "1"], () => undefined);
  const { id }: { readonly id?: string } = JSON.parse(lines[0] ?? "{}");
  if (id === undefined) throw new Error("The run left no session.");
  return id;
}

async function show(place: Place, args: readonly string[]): Promise<number | null> {
  place.print(typed(args));
  return (await run(place, args)).code;
}

/** The audit's headlines: what stands below them, results and arguments, is left out here. */
async function showAudit(place: Place, id: string): Promise<void> {
  const args = ["audit", "export", id];
  place.print(`${typed(args)} | grep -v '^ '`);
  await run(place, args, (line) => {
    if (!line.startsWith(" ")) place.print(line);
  });
}

/** Whether the tests pass now. */
function showChanges({ cwd, env, print }: Place): boolean {
  // A test runner inside a test runner reports to its parent; here it should report to the user.
  const { NODE_TEST_CONTEXT: _, ...plain } = env;
  const diff = spawnSync("git", ["--no-pager", "diff", "--stat"], { cwd, encoding: "utf8" });
  const tests = spawnSync(process.execPath, ["--test"], { cwd, env: plain, encoding: "utf8" });
  print(diff.stdout.trimEnd());
  for (const line of tests.stdout.split("\n"))
    if (/^(?:# (?:pass|fail)|ℹ (?:pass|fail)|(?:not )?ok|✔|✖)/.test(line)) print(line);
  return tests.status === 0;
}
