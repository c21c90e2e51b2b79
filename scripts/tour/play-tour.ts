import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startRehearsal } from "@capstan/rehearsal";
import { openShop } from "../../examples/first-task/shop.ts";
import { createCleaner } from "./clean-screen.ts";
import { tourScenario } from "./tour-scenario.ts";

/** For the pieces of the unfinished answer to arrive before the kill. */
const piecesMs = 1000;
const commandLimitMs = 5 * 60_000;

/** The folder of a tour: an empty home, the binary on the search path, and the repository. */
interface Stage {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborts when the model has stopped in the middle of an answer. */
  readonly stopped: AbortSignal;
}

/**
 * The tour's page: `tour.md` beside this file, with what its commands print when the real binary runs them.
 * @param capstan  the binary's JavaScript file
 */
export async function playTour(capstan: string): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-tour-")));
  const stopped = new AbortController();
  const rehearsal = await startRehearsal({
    scenario: tourScenario(),
    onExchange: ({ fault }) => {
      if (fault !== undefined) void pause(piecesMs).then(() => stopped.abort());
    },
  });
  try {
    openShop(join(folder, "corner-shop"));
    for (const name of ["home", "programs"]) mkdirSync(join(folder, name));
    installIn(folder, capstan);
    const page = await fillIn({ folder, env: environment(folder, rehearsal.url), stopped: stopped.signal });
    if (rehearsal.unused() > 0)
      throw new Error(`The commands left ${rehearsal.unused()} answers of the model unasked.`);
    return page;
  } finally {
    await rehearsal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function installIn(folder: string, capstan: string): void {
  const launcher = join(folder, "programs", "capstan");
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${capstan}' "$@"\n`);
  chmodSync(launcher, 0o755);
}

function environment(folder: string, url: string): NodeJS.ProcessEnv {
  return {
    PATH: `${join(folder, "programs")}:${process.env["PATH"] ?? ""}`,
    HOME: join(folder, "home"),
    LANG: "C.UTF-8",
    TZ: "UTC",
    CI: "true",
    // Of reads side by side none is sure to end first.
    CAPSTAN_STRATEGY: "sequential",
    COLUMNS: "100",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none-is-needed",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "none-is-needed",
  };
}

/** Puts what each command prints below it. */
async function fillIn(stage: Stage): Promise<string> {
  const clean = createCleaner(stage.folder);
  const lines = readFileSync(join(import.meta.dirname, "tour.md"), "utf8").split("\n");
  const filled: string[] = [];
  let isConsole = false;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("```")) isConsole = line === "```console";
    filled.push(line);
    if (!isConsole || !line.startsWith("$ ")) continue;
    const shown = clean(await play(stage, line.slice(2), lines[index + 1] === "Killed"));
    if (shown !== "") filled.push(shown);
  }
  return filled.join("\n");
}

/** What a command line prints on both streams, in the order in which it does. */
async function play({ folder, env, stopped }: Stage, command: string, isKilled: boolean): Promise<string> {
  const screen = join(folder, "screen.txt");
  const descriptor = openSync(screen, "w");
  const cwd = join(folder, "corner-shop");
  const child = spawn("bash", ["-c", command], {
    cwd,
    env,
    stdio: ["ignore", descriptor, descriptor],
    timeout: commandLimitMs,
  });
  closeSync(descriptor);
  if (isKilled) stopped.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
  const [, signal] = await once(child, "close");
  const isAsMeant = isKilled === (signal === "SIGKILL");
  if (!isAsMeant) throw new Error(`"${command}" ended with ${String(signal)}: ${readFileSync(screen, "utf8")}`);
  return readFileSync(screen, "utf8");
}
