import { AppError } from "@capstan/protocol";
import { maxListedProblems } from "./config-limits.ts";

/** Something in the configuration that must be corrected. `text` names place, key and expectation, and holds no secrets. */
export interface ConfigProblem {
  readonly code: "config.invalid" | "config.variable-missing";
  readonly text: string;
}

/** One error for all problems; the code is that of the graver kind. */
export function problemError(problems: readonly ConfigProblem[]): AppError {
  // What was typed is wrong, and no file: flags are read with `--safe-mode` as well.
  if (problems.every(({ text }) => text.startsWith("flag "))) return new AppError("usage.invalid", listed(problems));
  if (problems.every(({ code }) => code === "config.variable-missing"))
    return new AppError("config.variable-missing", listed(problems), {
      hint: "Set the variable, or write `${NAME:-default}`.",
    });
  const hint = "Correct what is named, or start with `--safe-mode`, which reads no configuration file.";
  return new AppError("config.invalid", listed(problems), { hint });
}

function listed(problems: readonly ConfigProblem[]): string {
  const [first, ...others] = problems.map((problem) => problem.text);
  if (others.length === 0) return first ?? "the configuration is invalid";
  const shown = [first, ...others].slice(0, maxListedProblems);
  const left = problems.length - shown.length;
  const end = left > 0 ? [`and ${left} more`] : [];
  return [`${problems.length} problems in the configuration:`, ...shown, ...end].join("\n  ");
}
