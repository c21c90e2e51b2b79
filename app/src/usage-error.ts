import { AppError } from "@capstan/protocol";
import type { CommanderError } from "commander";
import { quoted } from "./installation/shell-text.ts";

/** A usage error in its one form: a line that says what is wrong, and a line to paste. @param command  the words that name it */
export function usageText({ message, code, hint = "" }: AppError, command: readonly string[]): string {
  const ready = /^Try: ([^\n]+)$/.exec(hint)?.[1];
  const advice = ready !== undefined || hint === "" ? "" : `${/[.!?]$/.test(message) ? "" : "."} ${oneLine(hint)}`;
  const remedy = ready ?? commandIn(hint) ?? usualRemedy(code) ?? lineOf([...command, "--help"]);
  return `capstan: ${message}${advice} [${code}]\n  Try: ${remedy}`;
}

/** A command that an advice names, as long as nothing in it has to be filled in. */
function commandIn(hint: string): string | undefined {
  const command = /`(capstan [^`]+)`/.exec(hint)?.[1];
  return command === undefined || /…|\b[A-Z]{2,}\b/.test(command) ? undefined : command;
}

function usualRemedy(code: string): string | undefined {
  if (code === "model.none" || code === "provider.auth") return "capstan doctor";
  return code.startsWith("config.") ? "capstan config show --safe-mode" : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

/** A command line as a shell takes it. */
function lineOf(words: readonly string[]): string {
  return ["capstan", ...words.map((word) => (/^[\w./:@%+,=-]+$/.test(word) ? word : quoted(word)))].join(" ");
}

export interface WrongLine {
  readonly words: readonly string[];
  /** The words that name the command. */
  readonly command: readonly string[];
  /** Whether these words could be read. */
  readonly fits: (words: readonly string[]) => boolean;
}

/** What the reader of the command line found wrong, with the line that was probably meant. */
export function readingError({ code, message }: CommanderError, line: WrongLine): AppError {
  const { words, command } = line;
  const usage = (text: string, remedy: readonly string[]): AppError =>
    new AppError("usage.invalid", text, { hint: `Try: ${lineOf(remedy)}` });
  const help = [...command, "--help"];
  if (code === "commander.help") return usage(`${lineOf(command)} needs a command after it`, help);
  const [problem = "", suggestion = ""] = message.replace(/^error: /, "").split("\n");
  const meant = /\(Did you mean (?:one of )?([^\s,?)]+)/.exec(suggestion)?.[1];
  const isPrompt = words[0] !== "run" && /^(?:unknown command|too many arguments)/.test(problem);
  const usual = isPrompt ? ["run", words.join(" ")] : help;
  if (meant === undefined) return usage(problem, usual);
  return usage(`${problem}; did you mean ${meant}?`, meantLine(problem, meant, line) ?? usual);
}

/** The line with what was meant in it; where that lacks a word, the help of the command that was meant. */
function meantLine(problem: string, meant: string, { words, fits }: WrongLine): readonly string[] | undefined {
  const wrong = /'([^']+)'/.exec(problem)?.[1];
  if (wrong === undefined) return undefined;
  const corrected = withWord(words, wrong, meant);
  if (fits(corrected)) return corrected;
  if (!problem.startsWith("unknown command")) return undefined;
  return [...corrected.slice(0, corrected.indexOf(meant) + 1), "--help"];
}

function withWord(words: readonly string[], wrong: string, meant: string): readonly string[] {
  const at = words.findIndex((word) => word === wrong || word.startsWith(`${wrong}=`));
  return at === -1 ? words : words.toSpliced(at, 1, meant + (words[at] ?? "").slice(wrong.length));
}
