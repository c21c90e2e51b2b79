import { AppError } from "@capstan/protocol";
import { jsonLine } from "@capstan/cli";
import { exitCodeOf } from "./exit-code-of.ts";

/** The result line of a run that could not even start: scripts that read JSON get their last line all the same. */
export function failedResult(error: unknown): string {
  const failure =
    error instanceof AppError
      ? { code: error.code, message: error.message, hint: error.hint }
      : { message: String(error) };
  return `${jsonLine({ type: "result", outcome: "error", exitCode: exitCodeOf(error), error: failure })}\n`;
}
