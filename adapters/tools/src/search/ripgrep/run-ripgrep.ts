import { runProcess } from "../../run-command/run-process.ts";
import type { OpenFile } from "../../paths/open-file.ts";
import type { SearchQuery } from "../search-request.ts";
import { maxErrorBytes } from "../limits.ts";
import { RipgrepEvents, type SearchedFile } from "./ripgrep-events.ts";

/** A file that our own walk has opened. */
export interface CandidateFile {
  /** Relative to the start; empty when the start is the file itself. */
  readonly path: string;
  /** Absolute: looked at only where a program cannot be given an open file. */
  readonly real: string;
  readonly file: OpenFile;
}

export interface BatchRequest {
  readonly program: string;
  readonly query: SearchQuery;
  readonly files: readonly CandidateFile[];
  /** Whether ripgrep reads the open files themselves (`/proc/self/fd`), so that no name is looked up again. */
  readonly byDescriptor: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type BatchEnd =
  | { readonly type: "complete" }
  /** Some file could not be read, and ripgrep does not say which. */
  | { readonly type: "unreadable" }
  | { readonly type: "stopped" }
  | { readonly type: "timeout" }
  | { readonly type: "bad-pattern"; readonly message: string }
  | { readonly type: "failed"; readonly message: string };

/**
 * Has ripgrep look through files that were chosen and opened before: an argument vector, no shell, no configuration, no ignore
 * files, an empty environment. Files with a match are handed over in their order, until `take` answers `stop`.
 * @throws the signal's reason
 */
export async function runRipgrep(
  request: BatchRequest,
  take: (path: string, found: SearchedFile) => "continue" | "stop",
): Promise<BatchEnd> {
  const named = new Map(request.files.map((file, index) => [nameOf(file, index, request.byDescriptor), file.path]));
  const enough = new AbortController();
  const events = new RipgrepEvents((name, found) => {
    const path = named.get(name);
    return path === undefined ? "continue" : take(path, found);
  }, endsLinesWithReturn(request.query.pattern));
  let problem = "";
  const end = await runProcess({
    file: request.program,
    // With no file it would read its standard input; this way it says whether the pattern is one.
    args: [...flagsFor(request.query), "--", ...(named.size === 0 ? ["/dev/null"] : named.keys())],
    cwd: "/",
    environment: {},
    descriptors: request.byDescriptor ? request.files.map(({ file }) => file.descriptor) : [],
    timeoutMs: Math.max(1, request.timeoutMs),
    signal: AbortSignal.any([request.signal, enough.signal]),
    onData: (stream, bytes) => {
      if (stream === "stderr") problem = (problem + bytes.toString()).slice(0, maxErrorBytes);
      else if (!enough.signal.aborted && events.push(bytes) === "stop") enough.abort();
      return undefined;
    },
  });
  request.signal.throwIfAborted();
  if (enough.signal.aborted) return { type: "stopped" };
  if (end.cause === "timeout") return { type: "timeout" };
  if (end.exitCode === 0 || end.exitCode === 1) return { type: "complete" };
  if (end.exitCode !== 2) return { type: "failed", message: `ripgrep ended with ${end.signal ?? end.exitCode}.` };
  // Files that cannot be read are passed over in silence (--no-messages): what is said is about the pattern.
  return problem === "" ? { type: "unreadable" } : { type: "bad-pattern", message: explain(problem) };
}

/** The child's descriptors begin with 3. A real path is absolute, so that neither kind of name looks like a flag. */
function nameOf({ real }: CandidateFile, index: number, byDescriptor: boolean): string {
  return byDescriptor ? `/proc/self/fd/${index + 3}` : real;
}

/** Whether CR LF ends a line: so that `$` finds its end. A pattern that looks for a CR itself wants it left in the text. */
function endsLinesWithReturn(pattern: string): boolean {
  return !/\\r|\r/.test(pattern);
}

function flagsFor(query: SearchQuery): readonly string[] {
  return [
    "--no-config",
    "--no-ignore",
    "--no-messages",
    "--no-mmap",
    "--threads=1",
    "--json",
    caseFlags[query.case],
    ...(query.fixedStrings ? ["--fixed-strings"] : []),
    ...(query.wordRegexp ? ["--word-regexp"] : []),
    // ripgrep then refuses to look for a CR itself.
    ...(endsLinesWithReturn(query.pattern) ? ["--crlf"] : []),
    `--regexp=${query.pattern}`,
  ];
}

const caseFlags = { smart: "--smart-case", sensitive: "--case-sensitive", insensitive: "--ignore-case" } as const;

function explain(problem: string): string {
  const withoutName = problem.replace(/^(rg|ripgrep): /, "");
  // It recommends flags that this tool does not have.
  return withoutName.replace(/\n*Consider enabling[\s\S]*$/, "").trim();
}
