import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dialect } from "./dialects.ts";
import { batchLimitMs, maxRestarts } from "./limits.ts";

export type Commands = readonly (readonly string[])[];

/** A script to be run, and what exit codes its commands give so that all of them are reached. */
export interface Job {
  readonly script: string;
  /** Names its commands are expected to begin with. */
  readonly names: readonly string[];
  /** One digit per command in turn; `z`: every command gives 0; `o`: every one gives 1. */
  readonly plan: string;
}

/** What a shell ran for one script, as it began; `ended`: the shell itself outlived it. */
export interface Seen {
  readonly commands: Commands;
  readonly ended: boolean;
}

/**
 * Runs scripts in one shell process, in which nothing but recorders can be reached: a function or a program for every name
 * that is expected, and an empty PATH beside.
 */
export async function runBatch(dialect: Dialect, jobs: readonly Job[]): Promise<readonly Seen[]> {
  const folder = mkdtempSync(join(tmpdir(), "lexer-fuzz-"));
  try {
    const place = prepare(folder, dialect, jobs);
    const seen: Seen[] = [];
    for (let start = 0; seen.length < jobs.length && start <= maxRestarts; start += 1) {
      await runRest(place, dialect, jobs.slice(seen.length));
      const found = readRecord(place.record, jobs.length - seen.length);
      if (found.length === 0) break;
      seen.push(...found);
    }
    if (seen.length < jobs.length) throw new Error(`${dialect.name} stops again and again; is it broken?`);
    return seen;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly room: string;
  readonly programs: string;
  readonly driver: string;
  readonly record: string;
  readonly preamble: string;
}

function prepare(folder: string, dialect: Dialect, jobs: readonly Job[]): Place {
  const [room, programs] = [join(folder, "room"), join(folder, "programs")];
  for (const made of [room, programs]) mkdirSync(made);
  // What a wildcard would find.
  for (const name of ["a", "ab", "b", "x,y", "k"]) writeFileSync(join(room, name), "");
  const names = [...new Set(jobs.flatMap((job) => job.names))];
  const functions = names.filter((name) => dialect.isFunction(name) && !dialect.isKept(name));
  for (const name of names) if (!dialect.isFunction(name)) writeProgram(name, room, programs);
  const record = join(folder, "record");
  const preamble = [
    `PATH=${quoted(programs)} HOME=/home/of/nobody RECORD=${quoted(record)} PROGRAMS=${quoted(programs)} __S= __E=$(printf '\\002')`,
    "export PATH HOME RECORD PROGRAMS __S __E",
    `cd ${quoted(room)}; exec 9>>${quoted(record)} </dev/null >/dev/null 2>&1`,
    dialect.recorder,
    // A definition that a shell refuses must not end it.
    ...functions.map((name) => `${dialect.evaluate} ${quoted(dialect.defineFunction(quoted(name)))}`),
  ].join("\n");
  return { room, programs, driver: join(folder, "driver"), record, preamble };
}

/** A program for a name that no function can have. */
function writeProgram(name: string, room: string, programs: string): void {
  if (isElsewhere(name)) return;
  const path = join(name.includes("/") ? room : programs, name);
  writeFileSync(
    path,
    '#!/bin/sh\nprintf \'%s\\001\' "${0#"$PROGRAMS"/}" "$@" "$__E" >> "$RECORD"\ncase $__S in z*) exit 0;; esac; exit 1\n',
  );
  chmodSync(path, 0o700);
}

/** Whether no program of that name can be put where a shell would find it, without getting in the way of others. */
export function isElsewhere(name: string): boolean {
  return name === "" || name === "." || name === ".." || name.length > 200 || (name.includes("/") && name !== "./k");
}

async function runRest(place: Place, dialect: Dialect, jobs: readonly Job[]): Promise<void> {
  writeFileSync(place.record, "");
  const lines = jobs.map(({ script, plan }) => `${dialect.mark}; __S=${plan}; ${dialect.evaluate} ${quoted(script)}`);
  writeFileSync(place.driver, [place.preamble, ...lines, dialect.mark, ""].join("\n"));
  const { file } = dialect;
  if (file === undefined) throw new Error(`${dialect.name} is not installed`);
  await new Promise<void>((resolve) => {
    execFile(
      file,
      [...dialect.options, place.driver],
      { cwd: place.room, env: { PATH: "/usr/bin:/bin" }, timeout: batchLimitMs, killSignal: "SIGKILL" },
      // However it ended: what is in the record decides.
      () => resolve(),
    );
  });
}

/** @returns one entry per script that began; the last of them stopped the shell when the closing mark is missing */
function readRecord(record: string, expected: number): readonly Seen[] {
  const [, ...pieces] = readFileSync(record, "utf8").split("\u0003");
  return pieces.slice(0, expected).map((piece, index) => ({
    commands: piece
      .split("\u0001\u0002\u0001")
      .filter((text) => text !== "")
      .map((text) => text.split("\u0001")),
    ended: index + 1 < pieces.length,
  }));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
