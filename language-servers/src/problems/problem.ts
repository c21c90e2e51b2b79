import { inertText } from "@capstan/patterns";
import { isJsonObject, type JsonValue } from "@capstan/protocol";
import { maxMessageCharacters, maxProblemsOfFile } from "../limits.ts";

export type Severity = "error" | "warning" | "information" | "hint";

/** Something that a language server finds wrong with a file. Lines and columns from 1; columns in UTF-16 units. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly text: string;
  /** What the server calls it; empty: nothing. */
  readonly code: string;
}

/** A file with what is wrong with it. `path`: real, absolute. */
export interface FileProblems {
  readonly path: string;
  readonly server: string;
  readonly problems: readonly Problem[];
}

const severities: readonly Severity[] = ["error", "warning", "information", "hint"];

/** What a server says is wrong with a file. What is no diagnostic is left out: a server is not believed to keep to its protocol. */
export function problemsOf(diagnostics: JsonValue | undefined): readonly Problem[] {
  if (!Array.isArray(diagnostics)) return [];
  return diagnostics.slice(0, maxProblemsOfFile).flatMap((each) => {
    const problem = problemOf(each);
    return problem === null ? [] : [problem];
  });
}

function problemOf(diagnostic: JsonValue): Problem | null {
  if (!isJsonObject(diagnostic) || typeof diagnostic["message"] !== "string") return null;
  const { message, range, severity, code } = diagnostic;
  const start = isJsonObject(range) && isJsonObject(range["start"]) ? range["start"] : {};
  return {
    line: fromZero(start["line"]),
    column: fromZero(start["character"]),
    // Without one it is for the client to say: what may be an error is one.
    severity: severities[Number(severity ?? 1) - 1] ?? "error",
    text: inertText(message.slice(0, maxMessageCharacters).toWellFormed()).replaceAll(/\s+/g, " ").trim(),
    code: typeof code === "string" || typeof code === "number" ? inertText(String(code).slice(0, 80)) : "",
  };
}

function fromZero(number: JsonValue | undefined): number {
  return Number.isSafeInteger(number) ? Number(number) + 1 : 1;
}
