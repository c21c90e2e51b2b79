/** The printed scripts, in the shells they are for. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../../../adapters/storage/src/index.ts";
import { newFolder, runWords } from "../run-words.ts";

describe("bash", () => {
  test.each([
    [["capstan", "se"], ["sessions"]],
    [["capstan", "sessions", "un"], ["undo"]],
    [["capstan", "sessions", "show", "--f"], ["--follow"]],
    [
      ["capstan", "run", "--permission-mode", ""],
      ["plan", "default", "accept-edits", "auto"],
    ],
    [["capstan", "run", "--permission-mode", "=", "pl"], ["plan"]],
    [
      ["capstan", "sessions", "attach", "--output-format", ""],
      ["text", "stream-json"],
    ],
    // The value of a flag is no command, and what follows `--` is text.
    [
      ["capstan", "run", "-C", "sessions", "--allo"],
      ["--allow", "--allowed-tools"],
    ],
    [["capstan", "--", "se"], []],
    // A prompt needs no command, and its flags stand before it.
    [["capstan", "--permission-mode", "pl"], ["plan"]],
    [["capstan", "--yo"], ["--yolo"]],
    // A group of commands alone is its list.
    [["capstan", "sessions", "--l"], ["--limit"]],
    [
      ["capstan", "completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["capstan", "sessions", "show", "ses_b"], ["ses_b1"]],
    [
      ["capstan", "run", "--resume", "ses_"],
      ["ses_a1", "ses_b1"],
    ],
    [["capstan", "interactions", "show", ""], ["int_1"]],
    [["capstan", "run", "any words "], []],
  ])("completes %j", async (words, expected) => {
    expect(bashProposals(await printed("bash"), words)).toEqual(expected);
  });

  test("completes folders and files where a flag takes one, with spaces in their names", async () => {
    const script = await printed("bash");
    const place = newFolder();
    mkdirSync(join(place, "docs"));
    writeFileSync(join(place, "draft.md"), "");
    expect(bashProposals(script, ["capstan", "run", "-C", "d"], place)).toEqual(["docs"]);
    expect(bashProposals(script, ["capstan", "run", "--attach", "d"], place).toSorted()).toEqual(["docs", "draft.md"]);
  });

  test("is sourced again without a trace of the first time", async () => {
    const script = await printed("bash");
    expect(bashProposals(`${script}\n${script}`, ["capstan", "tru"])).toEqual(["trust"]);
  });
});

test.skipIf(!has("zsh"))("zsh gets the same, with what each is for", async () => {
  const script = await printed("zsh");
  expect(zshProposals(script, ["capstan", ""])).toContain("sessions:list, show, undo, export and import sessions");
  expect(zshProposals(script, ["capstan", "sessions", "show", "-"])).toContain(
    "--follow:read along while another process writes to it",
  );
  expect(zshProposals(script, ["capstan", "run", "--sandbox", ""])).toEqual(["required", "preferred", "off"]);
  expect(zshProposals(script, ["capstan", "sessions", "show", ""])).toEqual(["ses_a1:a title", "ses_b1:b"]);
});

test.skipIf(!has("fish"))("fish gets the same, with what each is for", async () => {
  const script = await printed("fish");
  expect(fishProposals(script, "capstan sess")).toEqual(["sessions\tlist, show, undo, export and import sessions"]);
  expect(fishProposals(script, "capstan sessions show --f")).toEqual([
    "--follow\tread along while another process writes to it",
  ]);
  expect(fishProposals(script, "capstan run --permission-mode pl")).toEqual([
    "plan\tplan, default, accept-edits or auto",
  ]);
  expect(fishProposals(script, "capstan sessions show ses_b")).toEqual(["ses_b1\tb"]);
  // The value of a flag is no command, and what follows `--` is text.
  expect(fishProposals(script, "capstan run -C sessions --allowed")).toEqual([
    "--allowed-tools\tseveral such rules in one, with commas: Bash(git log:*),Read",
  ]);
  expect(fishProposals(script, "capstan -- se")).toEqual([]);
  // Where a flag takes one of some words, or a number, no file stands.
  expect(fishProposals(script, "capstan --permission-mode p", draftFolder())).toEqual([
    "plan\tplan, default, accept-edits or auto",
  ]);
  expect(fishProposals(script, "capstan sessions --limit d", draftFolder())).toEqual([]);
  expect(fishProposals(script, "capstan run --attach d", draftFolder())).toEqual(["docs/", "draft.md"]);
});

test("the ids that a script asks for are those of the store, newest first, and asking makes no store", async () => {
  const home = join(newFolder(), "home");
  expect(await runWords(["completion", "sessions"], home)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(spawnSync("ls", [home]).status).not.toBe(0);
  const store = await openSqliteStore({ path: join(home, "capstan.db") });
  await store.close();
  expect(await runWords(["completion", "sessions"], home)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await runWords(["completion", "interactions"], home)).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a shell that is not known is a usage error with a line to paste", async () => {
  const said = await runWords(["completion", "tcsh"]);
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toMatch(/"tcsh"[^]*capstan completion bash/);
});

async function printed(shell: string): Promise<string> {
  return (await runWords(["completion", shell])).stdout;
}

/** A folder with a `capstan` that knows two sessions and a question. */
function binaries(): string {
  const folder = newFolder();
  const path = join(folder, "capstan");
  const ids = String.raw`case "$2" in sessions) printf 'ses_a1\ta title\nses_b1\tb\n' ;; interactions) printf 'int_1\tc\n' ;; esac`;
  writeFileSync(path, `#!/bin/sh\n${ids}\n`);
  chmodSync(path, 0o755);
  return folder;
}

function bashProposals(script: string, words: readonly string[], cwd = newFolder()): readonly string[] {
  const driver = `${script}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_capstan capstan "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return linesOf("bash", ["--noprofile", "--norc", "-c", driver, "bash", ...words], cwd);
}

/** Outside of a completion widget zsh's own functions do not run; what they would be given is what counts. */
function zshProposals(script: string, given: readonly string[]): readonly string[] {
  const driver = `compdef() { : }
_describe() { shift $(( $# - 1 )); print -rl -- "\${(@P)1}" }
compadd() { shift; print -rl -- "$@" }
${script}
words=("$@") CURRENT=$#
_capstan`;
  return linesOf("zsh", ["-f", "-c", driver, "zsh", ...given], newFolder());
}

function fishProposals(script: string, line: string, cwd = newFolder()): readonly string[] {
  // From a file: an argument holds 128 KB.
  const file = join(newFolder(), "capstan.fish");
  writeFileSync(file, script);
  return linesOf("fish", ["--no-config", "-c", `source ${file}; complete -C "${line}"`], cwd);
}

function draftFolder(): string {
  const folder = newFolder();
  mkdirSync(join(folder, "docs"));
  for (const name of ["draft.md", "plan.md"]) writeFileSync(join(folder, name), "");
  return folder;
}

function linesOf(program: string, args: readonly string[], cwd: string): readonly string[] {
  const env = { PATH: `${binaries()}:${process.env["PATH"]}`, HOME: cwd };
  return execFileSync(program, args, { cwd, env, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}

function has(program: string): boolean {
  return spawnSync(program, ["-c", ":"]).error === undefined;
}
