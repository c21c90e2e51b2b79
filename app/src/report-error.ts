import { AppError, messageOf, usageExitCode } from "@capstan/protocol";
import { exitCodeOf } from "./exit-code-of.ts";
import { usageText } from "./usage-error.ts";
import { environmentRedactor } from "@capstan/host";
import { inertText, wrapText } from "@capstan/view";

/** Says what went wrong and what to do, on stderr. @param command  the words that name the command */
export function reportError(error: unknown, command: readonly string[] = []): void {
  const [message = "", ...remedies] = shown(errorText(error, command)).split("\n");
  const { isTTY, columns } = process.stderr;
  const rows = isTTY && columns > 0 ? wrapText(message, columns) : [message];
  process.stderr.write(`${[...rows, ...remedies].join("\n")}\n`);
}

function errorText(error: unknown, command: readonly string[]): string {
  if (error instanceof AppError && exitCodeOf(error) === usageExitCode) return usageText(error, command);
  if (!(error instanceof AppError)) return `capstan: ${messageOf(error)}${adviceFor(messageOf(error))}`;
  const hint = error.hint === undefined ? "" : `\n  ${error.hint}`;
  return `capstan: ${error.message} [${error.code}]${hint}`;
}

/** Whatever needed a file when there were too many: a folder, the home directory, a program. */
function adviceFor(message: string): string {
  if (!/\bE[MN]FILE\b/.test(message)) return "";
  return " [storage.unavailable]\n  Raise the limit of open files (`ulimit -n 1024`), or end other programs, and try again.";
}

/** Errors quote vendors, proxies and programs: without secrets, and with nothing a terminal would obey. */
function shown(text: string): string {
  return inertText(environmentRedactor(process.env)(text));
}

/** Problems that did not stop anything: visible with CAPSTAN_DEBUG, so that the screen stays the user's. */
export function reportProblem(error: unknown): void {
  if (process.env["CAPSTAN_DEBUG"] !== undefined)
    process.stderr.write(
      `${shown(`capstan (debug): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)}\n`,
    );
}
