import { relative } from "node:path";
import { inertText } from "@capstan/patterns";
import { maxErrorsShown } from "../limits.ts";
import type { FileProblems, Problem } from "./problem.ts";

/** `src/a.ts:3:5: error TS2322: …`, with the path as it is called from `cwd`. */
export function problemLine(cwd: string, path: string, { line, column, severity, code, text }: Problem): string {
  const name = inertText(relative(cwd, path));
  return `${name}:${line}:${column}: ${severity}${code === "" ? "" : ` ${code}`}: ${text}`;
}

/** What the model is shown of errors that are new; `undefined`: nothing is. */
export function errorNotice(cwd: string, files: readonly FileProblems[]): string | undefined {
  const lines = files.flatMap(({ path, problems }) => problems.map((problem) => problemLine(cwd, path, problem)));
  if (lines.length === 0) return undefined;
  const servers = [...new Set(files.filter(({ problems }) => problems.length > 0).map(({ server }) => server))];
  const more = lines.length - maxErrorsShown;
  return [
    `New errors in files that you changed, as ${servers.join(" and ")} reports them:`,
    ...lines.slice(0, maxErrorsShown),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}
