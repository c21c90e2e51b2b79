import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandsOf, type Everyday } from "../../scripts/reference/everyday/everyday-command.ts";
import type { Place } from "../end-to-end/stage/place.ts";
import { linesOf, type OutputObject } from "../end-to-end/stage/read-output.ts";
import { withoutChance } from "./without-chance.ts";

/** What came of a command. */
export interface Ran {
  readonly command: string;
  /** `null`: it did not come to an end by itself, or was not run. */
  readonly code: number | null;
  /** What it wrote on both streams, sorted, for nobody knows which came first; without times, ids and the like. */
  readonly lines: readonly string[];
}

export interface Outcome {
  readonly ran: readonly Ran[];
  /** Everything that lies in the workspace afterwards, but for the inside of `.git`. */
  readonly left: readonly string[];
}

/** Calls of one step; more than one batch is allowed to hold would end the turn. */
const callsOfAStep = 32;
const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** Which of the programs it needs are not there. */
export function missingPrograms(needs: readonly string[]): readonly string[] {
  return needs.filter(
    (name) => spawnSync("/bin/sh", ["-c", `command -v ${name}`], { env: { PATH: systemPath } }).status !== 0,
  );
}

/** Every command as a user types it, one after another. */
export async function runOutside(place: Place, everyday: Everyday): Promise<Outcome> {
  furnish(place, everyday);
  const ran: Ran[] = [];
  for (const { command, reaches } of commandsOf(everyday))
    ran.push(reaches === undefined ? await runOne(place, command) : { command, code: null, lines: [] });
  return { ran, left: leftIn(place) };
}

/** Every command as a model calls it, in one session of the real binary, in mode accept-edits. */
export async function runInside(place: Place, everyday: Everyday): Promise<Outcome> {
  furnish(place, everyday);
  const commands = commandsOf(everyday).map(({ command }) => command);
  const turns: object[] = [];
  for (let at = 0; at < commands.length; at += callsOfAStep) {
    const step = commands.slice(at, at + callsOfAStep);
    turns.push({ tool_calls: step.map((command) => ({ name: "run_command", arguments: { command } })) });
  }
  const stage = await place.rehearse("anthropic", [...turns, { text: "done" }]);
  const flags = ["--permission-mode", "accept-edits", "--strategy", "sequential", "--output-format", "stream-json"];
  const run = await stage.run([...flags, "go"], { env: { PATH: systemPath, LANG: "C.UTF-8" } });
  const finished = linesOf(run, "tool-finished");
  if (finished.length !== commands.length)
    throw new Error(`${finished.length} of ${commands.length} commands came to an end: ${run.stderr}`);
  const calls = linesOf(run, "step-completed").flatMap(callsIn);
  const outcomes = new Map(finished.map(({ callId, outcome }) => [callId, outcome]));
  return {
    ran: commands.map((command, at) => readOutcome(command, outcomes.get(calls[at]))),
    left: leftIn(place),
  };
}

/** The ids of a step's calls, in their order: outcomes come as they can. */
function callsIn({ message }: OutputObject): readonly unknown[] {
  const parts: unknown = Reflect.get(Object(message), "content");
  const calls = (Array.isArray(parts) ? parts : []).filter((part) => Reflect.get(Object(part), "type") === "tool-call");
  return calls.map((part) => Reflect.get(Object(part), "callId"));
}

function readOutcome(command: string, outcome: unknown): Ran {
  const content = String(Reflect.get(Object(outcome), "content"));
  const [first = "", ...lines] = content.split("\n");
  const code = /^Exit code: (\d+)/.exec(first)?.[1];
  if (code === undefined) return { command, code: null, lines: content.split("\n") };
  return { command, code: Number(code), lines: comparable(lines.join("\n") === "[no output]" ? "" : lines.join("\n")) };
}

function comparable(text: string): readonly string[] {
  return text
    .split("\n")
    .map(withoutChance)
    .filter((line) => line !== "")
    .toSorted();
}

function furnish(place: Place, { files, before }: Everyday): void {
  rmSync(place.workspace, { recursive: true, force: true });
  mkdirSync(place.workspace);
  const home = join(place.folder, "home");
  for (const folder of [home, join(place.folder, "tmp")]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  writeFileSync(
    join(home, ".gitconfig"),
    '[user]\n\tname = Ada\n\temail = ada@example.org\n[protocol "file"]\n\tallow = always\n',
  );
  writeFileSync(join(home, "outside.txt"), "outside\n");
  for (const [path, content] of Object.entries(files)) place.write(path, content);
  for (const script of before)
    execFileSync("/bin/bash", ["-c", script], { cwd: place.workspace, env: environmentOf(place) });
}

/** So that commits have the same ids on both sides. */
const fixedDates = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" };

function environmentOf(place: Place): NodeJS.ProcessEnv {
  return {
    PATH: systemPath,
    HOME: join(place.folder, "home"),
    TMPDIR: join(place.folder, "tmp"),
    LANG: "C.UTF-8",
    ...fixedDates,
  };
}

async function runOne(place: Place, command: string): Promise<Ran> {
  const options = { cwd: place.workspace, env: environmentOf(place), timeout: 60_000, maxBuffer: 4 * 1024 * 1024 };
  return await new Promise((resolve) => {
    const child = execFile("/bin/bash", ["-c", command], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ command, code, lines: comparable(`${stdout}\n${stderr}`) });
    });
    child.stdin?.end();
  });
}

function leftIn(place: Place): readonly string[] {
  const names = readdirSync(place.workspace, { recursive: true, encoding: "utf8" });
  return names.filter((name) => !/(^|\/)(?:\.git|remote\.git)\/|__pycache__/.test(name)).toSorted();
}
