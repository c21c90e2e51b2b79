import { AppError } from "@capstan/protocol";
import { maxListedProblems } from "./config-limits.ts";

/** Something in the configuration that must be corrected. `text` names place, key and expectation, and holds no secrets. */
export interface ConfigProblem {
  readonly code: "config.invalid" | "config.variable-missing";
  readonly text: string;
}

/** One error for all problems; the code is that of the graver kind. */
export function problemError(problems: readonly ConfigProblem[]): AppError {
  const code = problems.every((problem) => problem.code === "config.variable-missing")
    ? "config.variable-missing"
    : "config.invalid";
  // Flags are read with `--safe-mode` as well.
  const isTyped = problems.every(({ text }) => text.startsWith("flag "));
  const correction = isTyped
    ? "Correct what is named."
    : "Correct what is named, or start with `--safe-mode`, which reads no configuration file.";
  const hint = code === "config.invalid" ? correction : "Set the variable, or write `${NAME:-default}`.";
  const [first, ...others] = problems.map((problem) => problem.text);
  if (others.length === 0) return new AppError(code, first ?? "the configuration is invalid", { hint });
  const listed = [first, ...others].slice(0, maxListedProblems);
  const left = problems.length - listed.length;
  const end = left > 0 ? [`and ${left} more`] : [];
  const message = [`${problems.length} problems in the configuration:`, ...listed, ...end].join("\n  ");
  return new AppError(code, message, { hint });
}
