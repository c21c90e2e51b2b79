import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startRehearsal } from "@capstan/rehearsal";
import { openShop } from "../../examples/first-task/shop.ts";
import { createCleaner } from "./clean-screen.ts";
import { playOnTerminal, type TypedKeys } from "./play-on-terminal.ts";
import { tourScenario } from "./tour-scenario.ts";

/** For the pieces of the unfinished answer to arrive before the kill. */
const piecesMs = 1000;
/** Of one length on every machine. */
const folderPrefix = "/tmp/capstan-tour-";
const usualColumns = 100;
/** Nothing of a list is cut: what is cut depends on how long ago its entries were. */
const listColumns = 200;
/** Where a command of the page takes keys: what is waited for, and what is typed then. No part of the page. */
const keysLine = /^\[after "(.*)" type "(.*)"\]$/;

/** The folder of a tour: an empty home, the binary on the search path, and the repository. */
interface Stage {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Aborts when the model has stopped in the middle of an answer. */
  readonly stopped: AbortSignal;
}

/**
 * The tour's page: `tour.md` beside this file, with what its commands print when the real binary runs them.
 * @param capstan  the binary's JavaScript file
 */
export async function playTour(capstan: string): Promise<string> {
  const folder = mkdtempSync(folderPrefix);
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
    writeFileSync(join(folder, "home", ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.invalid\n");
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

function environment(folder: string, url: string): Readonly<Record<string, string>> {
  return {
    PATH: `${join(folder, "programs")}:${process.env["PATH"] ?? ""}`,
    HOME: join(folder, "home"),
    LANG: "C.UTF-8",
    TZ: "UTC",
    CI: "true",
    // Of reads side by side none is sure to end first.
    CAPSTAN_STRATEGY: "sequential",
    GIT_PAGER: "cat",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none-is-needed",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "none-is-needed",
  };
}

/** Puts what each command shows below it. */
async function fillIn(stage: Stage): Promise<string> {
  const clean = createCleaner(stage.folder);
  const lines = readFileSync(join(import.meta.dirname, "tour.md"), "utf8").split("\n");
  const filled: string[] = [];
  let isConsole = false;
  for (const [index, line] of lines.entries()) {
    if (keysLine.test(line)) continue;
    if (line.startsWith("```")) isConsole = line === "```console";
    filled.push(line);
    if (!isConsole || !line.startsWith("$ ")) continue;
    const shown = clean(await play(stage, line.slice(2), lines.slice(index + 1)));
    if (shown !== "") filled.push(shown);
  }
  return filled.join("\n");
}

/** What stands on the terminal when a command line has ended. @param below  the lines of the page that follow it */
async function play({ folder, env, stopped }: Stage, command: string, below: readonly string[]): Promise<string> {
  const isKilled = below[0] === "Killed";
  const cwd = join(folder, "corner-shop");
  const typed = keysIn(below);
  const columns = command.endsWith(" list") ? listColumns : usualColumns;
  const played = await playOnTerminal(command, { cwd, env, typed, columns, ...(isKilled ? { killed: stopped } : {}) });
  if (isKilled !== (played.signal === sigkill)) {
    throw new Error(`"${command}" ended with signal ${played.signal}: ${played.screen}`);
  }
  return played.screen;
}

const sigkill = 9;

function keysIn(below: readonly string[]): readonly TypedKeys[] {
  const found = below.map((line) => keysLine.exec(line));
  const end = found.indexOf(null);
  return found
    .slice(0, end === -1 ? undefined : end)
    .map((match) => ({ after: match?.[1] ?? "", keys: (match?.[2] ?? "").replaceAll("\\r", "\r") }));
}
