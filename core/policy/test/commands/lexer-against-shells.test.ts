/** What the lexer calls plain is run by real shells, and every program must receive exactly the words the lexer read. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSlowTier } from "@capstan/testkit";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type LexedScript, lexScript } from "../../src/commands/lexer.ts";

type Lexer = (script: string) => LexedScript;
type Commands = readonly (readonly string[])[];

const folder = mkdtempSync(join(tmpdir(), "lexer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ordinary = ["k", "ka", "kb", "x", "-y", "a/b", ".", ",", ":", "%", "@", "+", "=", "7", "_", "if", "in", "time"];
const joints = [
  " ",
  " ",
  " ",
  " ",
  "  ",
  "\n",
  ";",
  "&&",
  "||",
  "|",
  " | ",
  "; ",
  " && ",
  "\nk ",
  ";ka ",
  "|kb ",
  "&& k ",
];
const quoted = ["'", '"', "''", '""', "'a b'", '"a b"', "'$x'", "'*'", "'\\'", '"~"', "'!'", "'#'", '"{a,b}"', "'`'"];
const hostile = ["\\", "$", "$x", "`", "*", "?", "[a]", "~", "{x,y}", "{", "}", "#", "!", "&", ">", "<", "(", ")", "^"];
const invisible = ["\t", "\r", "\v", "\f", "\u00a0", "\u200b", "\u2028", "é", "\x1b", "\x7f"];

const scripts = fc
  .array(
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...ordinary) },
      { weight: 30, arbitrary: fc.constantFrom(...joints) },
      { weight: 8, arbitrary: fc.constantFrom(...quoted) },
      { weight: 1, arbitrary: fc.constantFrom(...hostile) },
      { weight: 1, arbitrary: fc.constantFrom(...invisible) },
    ),
    { maxLength: 14 },
  )
  .map((pieces) => `k ${pieces.join("")}`);

/** Scripts for each shell; not all of them are plain. */
const tries = isSlowTier ? 900 : 200;

test("bash passes on exactly the words the lexer read", () => {
  const plain = plainScripts(tries, 1, isProgram);
  expect(plain.length).toBeGreaterThan(tries / 5);
  expect(disagreements(lexScript, plain, bash([]))).toEqual([]);
});

test("bash --posix passes on exactly the words the lexer read", () => {
  expect(disagreements(lexScript, plainScripts(tries, 2, isProgram), bash(["--posix"]))).toEqual([]);
});

test.skipIf(!existsSync("/bin/dash"))("dash passes on exactly the words the lexer read", () => {
  expect(disagreements(lexScript, plainScripts(tries, 3, isRecorder), dash)).toEqual([]);
});

const naive: Lexer = (script) =>
  /[\n;&|'"<>()$`!#=]/.test(script)
    ? { type: "opaque", why: "operators" }
    : { type: "plain", commands: [script.split(/[\s\u200b]+/).filter((word) => word !== "")] };

test("the comparison notices a lexer that reads backslashes, globs, tildes or carriage returns as plain", () => {
  expect(disagreements(naive, ["k a\\ b", "k {x,y}", "k ~", "k a\rb", "k a\\b", "k x"], bash([]))).toEqual([
    { script: "k a\\ b", read: [["k", "a\\", "b"]], received: [["k", "a b"]] },
    { script: "k {x,y}", read: [["k", "{x,y}"]], received: [["k", "x", "y"]] },
    { script: "k ~", read: [["k", "~"]], received: [["k", "/home/of/nobody"]] },
    { script: "k a\rb", read: [["k", "a", "b"]], received: [["k", "a\rb"]] },
    { script: "k a\\b", read: [["k", "a\\b"]], received: [["k", "ab"]] },
  ]);
});

/** Scripts the lexer calls plain, whose commands all reach a recorder; builtins and paths would not. */
function plainScripts(count: number, seed: number, reachesRecorder: (name: string) => boolean): readonly string[] {
  return fc.sample(scripts, { numRuns: count, seed }).filter((script) => {
    const lexed = lexScript(script);
    return lexed.type === "plain" && lexed.commands.every(([name = ""]) => reachesRecorder(name));
  });
}

function isProgram(name: string): boolean {
  return name !== "." && name !== ":" && !name.startsWith("%") && !name.includes("/");
}

function isRecorder(name: string): boolean {
  return recorders.includes(name);
}

const recorders: readonly string[] = ["k", "ka", "kb"];

/** Runs scripts, every command succeeding or every one failing; gives what each script's programs received. */
type Shell = (scripts: readonly string[], status: 0 | 1) => readonly Commands[];

interface Disagreement {
  readonly script: string;
  readonly read: Commands;
  readonly received: Commands;
}

function disagreements(lexer: Lexer, plain: readonly string[], shell: Shell): readonly Disagreement[] {
  // Between both runs every command of an and-or list is reached.
  const succeeding = shell(plain, 0);
  const failing = shell(plain, 1);
  return plain.flatMap((script, index) => {
    const lexed = lexer(script);
    const read = distinct(lexed.type === "plain" ? lexed.commands : []);
    const received = distinct([...(succeeding[index] ?? []), ...(failing[index] ?? [])]);
    return JSON.stringify(read) === JSON.stringify(received) ? [] : [{ script, read, received }];
  });
}

/** Pipes run at once and lists twice: only which commands ran is certain. */
function distinct(commands: Commands): Commands {
  return [...new Set(commands.map((command) => JSON.stringify(command)))]
    .toSorted()
    .map((text): string[] => JSON.parse(text));
}

const endOfWord = "\u0001";
const endOfCommand = "\u0002";
const endOfScript = "\u0003";

/** A bash function stands in for every unknown program, so that a thousand scripts cost one process each at most. */
function bash(options: readonly string[]): Shell {
  return (plain, status) =>
    run("bash", [...options, "--norc"], {
      plain,
      preamble: `command_not_found_handle() { printf '%s\\001' "$@" $'\\002' >> "$OUT"; return ${status}; }\nPATH=/nonexistent`,
      each: (quotedScript) => `( eval ${quotedScript} ) </dev/null >/dev/null 2>&1; printf '\\003' >> "$OUT"`,
    });
}

function dash(plain: readonly string[], status: 0 | 1): readonly Commands[] {
  for (const name of recorders) {
    const recorder = join(folder, name);
    writeFileSync(
      recorder,
      `#!/bin/dash\nprintf '%s\\001' "\${0##*/}" "$@" "$(printf '\\002')" >> "$OUT"\nexit ${status}\n`,
    );
    chmodSync(recorder, 0o700);
  }
  return run("/bin/dash", [], {
    plain,
    preamble: `PATH='${folder}:/usr/bin:/bin'`,
    each: (quotedScript) => `( eval ${quotedScript} ) </dev/null >/dev/null 2>&1; printf '\\003' >> "$OUT"`,
  });
}

interface ShellRun {
  readonly plain: readonly string[];
  readonly preamble: string;
  readonly each: (quotedScript: string) => string;
}

function run(shell: string, options: readonly string[], { plain, preamble, each }: ShellRun): readonly Commands[] {
  const driver = join(folder, "driver.sh");
  const out = join(folder, "out");
  writeFileSync(out, "");
  writeFileSync(driver, [preamble, ...plain.map((script) => each(`'${script.replaceAll("'", `'\\''`)}'`))].join("\n"));
  execFileSync(shell, [...options, driver], {
    cwd: folder,
    env: { OUT: out, HOME: "/home/of/nobody", PATH: process.env["PATH"] },
  });
  return readFileSync(out, "utf8")
    .split(endOfScript)
    .map((script) => script.split(endOfWord + endOfCommand + endOfWord).flatMap(readCommand));
}

function readCommand(text: string): Commands {
  return text === "" ? [] : [text.split(endOfWord)];
}
