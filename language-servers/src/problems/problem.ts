import { inertText } from "@capstan/patterns";
import { type FileProblem, isJsonObject, type JsonValue } from "@capstan/protocol";
import { maxMessageCharacters, maxProblemsOfFile } from "../limits.ts";

/** Something that a server finds wrong with one file. */
export type Problem = Omit<FileProblem, "path" | "server">;

/** A file with what is wrong with it. `path`: real, absolute. */
export interface FileProblems {
  readonly path: string;
  readonly server: string;
  readonly problems: readonly Problem[];
}

const severities: readonly Problem["severity"][] = ["error", "warning", "information", "hint"];

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
