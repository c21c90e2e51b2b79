import type { JsonObject } from "@capstan/protocol";
import { isCodexPatch } from "../codex-patch/parse-codex-patch.ts";

/**
 * The patch that a command hands to `apply_patch`, where the command does nothing else: as its argument vector, as a here-document (also behind
 * `cd DIRECTORY &&`), or quoted. There is no such program: the call is meant for the tool.
 * @returns the patch, its paths as seen from the working directory of the session; `undefined` for every other command
 */
export function patchInCommand({ argv, command, cwd }: JsonObject): string | undefined {
  const found = Array.isArray(argv)
    ? patchInVector(argv)
    : typeof command === "string"
      ? patchInScript(command)
      : undefined;
  if (found === undefined) return undefined;
  const inside = typeof cwd === "string" ? cwd : ".";
  return below(below(found.patch, found.directory), inside);
}

interface FoundPatch {
  readonly patch: string;
  readonly directory: string;
}

function patchInVector(argv: readonly unknown[]): FoundPatch | undefined {
  const words = argv.filter((word) => typeof word === "string");
  const [program = "", first = "", second] = words;
  if (words.length !== argv.length) return undefined;
  if (isApplyPatch(program) && words.length === 2) return { patch: first, directory: "." };
  const isShell = /^(?:.*\/)?(?:ba|z|da)?sh$/.test(program) && /^-l?c$/.test(first);
  return isShell && words.length === 3 && second !== undefined ? patchInScript(second) : undefined;
}

function patchInScript(script: string): FoundPatch | undefined {
  const text = script.replaceAll("\r\n", "\n").trim();
  if (text.startsWith("*** Begin Patch") && isCodexPatch(text)) return { patch: text, directory: "." };
  const [head = "", directory = ".", rest = ""] =
    /^(?:cd[ \t]+([\w./@+-]+|'[^'\n]*'|"[^"\n$`\\]*")[ \t]*&&\s*)?apply_?patch[ \t]+([^]*)$/.exec(text) ?? [];
  if (head === "") return undefined;
  const patch = hereDocument(rest) ?? quotedWord(rest);
  return patch === undefined ? undefined : { patch, directory: directory.replace(/^(['"])(.*)\1$/, "$2") };
}

/** The body of a here-document behind which nothing follows. */
function hereDocument(text: string): string | undefined {
  const [head = "", , word = ""] = /^<<-?[ \t]*(['"]?)([A-Za-z_]\w*)\1[ \t]*\n/.exec(text) ?? [];
  if (head === "") return undefined;
  const lines = text.slice(head.length).split("\n");
  const end = lines.findIndex((line) => line.trimEnd() === word);
  // The text was trimmed: its last line is not blank.
  return end === lines.length - 1 ? lines.slice(0, end).join("\n") : undefined;
}

/** One word in quotes in which the shell would replace nothing. */
function quotedWord(text: string): string | undefined {
  const single = /^'([^']*)'$/.exec(text)?.[1];
  if (single !== undefined) return single;
  const double = /^"((?:[^"\\$`]|\\[^])*)"$/.exec(text)?.[1];
  return double?.replaceAll(/\\([$`"\\])/g, "$1");
}

function isApplyPatch(program: string): boolean {
  return program === "apply_patch" || program === "applypatch";
}

/** Patches name their files in lines of their own, which no content looks like: that has a mark in front. */
function below(patch: string, directory: string): string {
  if (/^\.?\/?$/.test(directory)) return patch;
  const base = directory.replace(/\/+$/, "");
  return patch.replaceAll(
    /^(\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(?!\/)(.*)$/gm,
    `$1${base.replaceAll("$", "$$$$")}/$2`,
  );
}
