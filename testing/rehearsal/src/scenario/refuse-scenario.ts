import { AppError, unreachable } from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { SchemaIssue } from "../schema-issue.ts";

/** @param name  of the file, and the line where that is known */
export function refuse(name: string, problem: string, hint?: string, options: ErrorOptions = {}): AppError {
  return new AppError("rehearsal.scenario", `${name}: ${problem}`, { ...options, ...(hint !== undefined && { hint }) });
}

/** The first few things a schema refused, in one line. */
export function describe(issues: readonly SchemaIssue[]): string {
  const lines = issues
    .slice(0, limits.shownScenarioProblems)
    .map((issue) => `${fieldPath(issue.path)}: ${says(issue)}`);
  const more = issues.length - lines.length;
  return more > 0 ? `${lines.join("; ")}; and ${more} more` : lines.join("; ");
}

function says(issue: SchemaIssue): string {
  switch (issue.type) {
    case "unknown-field":
      return "unknown field";
    case "missing":
      return `missing (${issue.message})`;
    case "wrong":
      return issue.message;
    default:
      return unreachable(issue.type);
  }
}

function fieldPath(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return text.replace(/^\./, "") || "the file";
}
