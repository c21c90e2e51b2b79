import { basename, dirname } from "node:path";
import { runProcess } from "../../run-command/run-process.ts";
import { StartDirectory } from "../../run-command/start-directory.ts";
import { maxErrorBytes, maxSearchFileBytes } from "../limits.ts";
import { RipgrepEvents } from "./ripgrep-events.ts";
import { endsLinesWithReturn } from "../translate-regex.ts";
import type { EngineEnd, EngineRequest, SearchEngine, TakeFile } from "../search-engine.ts";

/**
 * Searches with ripgrep: an argument vector, no shell, no configuration, an empty environment.
 * @param deniedGlobs  protected paths, so that it does not even open them; `FileFilter` has the last word
 */
export function searchWithRipgrep(
  findProgram: () => Promise<string | undefined>,
  deniedGlobs: readonly string[],
): SearchEngine {
  return async (request, take) => {
    const file = await findProgram();
    if (file === undefined) return { type: "unavailable" };
    const named = request.start.kind === "file";
    const directory = await StartDirectory.open(named ? dirname(request.start.real) : request.start.real);
    if (directory === undefined) return { type: "complete" };
    try {
      return await run({ file, cwd: directory.path, args: argumentsFor(request, deniedGlobs) }, request, take);
    } finally {
      await directory.close();
    }
  };
}

interface Program {
  readonly file: string;
  readonly cwd: string;
  readonly args: readonly string[];
}

async function run(program: Program, request: EngineRequest, take: TakeFile): Promise<EngineEnd> {
  const enough = new AbortController();
  const events = new RipgrepEvents((path, matches) => {
    const relative = request.start.kind === "file" ? "" : path;
    return request.filter.accepts(relative) ? take(relative, matches) : "go-on";
  }, endsLinesWithReturn(request.query.pattern));
  let problem = "";
  const end = await runProcess({
    ...program,
    environment: {},
    timeoutMs: request.timeoutMs,
    signal: AbortSignal.any([request.signal, enough.signal]),
    onData: (stream, bytes) => {
      if (stream === "stderr") problem = (problem + bytes.toString()).slice(0, maxErrorBytes);
      else if (!enough.signal.aborted && events.push(bytes) === "stop") enough.abort();
      return undefined;
    },
  });
  request.signal.throwIfAborted();
  if (enough.signal.aborted) return { type: "incomplete", reason: "count" };
  if (end.cause === "timeout") return { type: "incomplete", reason: "time" };
  // Files that cannot be read are passed over in silence (--no-messages): what is said then is about the pattern.
  if (end.exitCode === 2 && problem !== "") return { type: "bad-pattern", message: explain(problem) };
  return { type: "complete" };
}

function* flagsFor({ query, hidden, start }: EngineRequest): Generator<string> {
  yield* ["--no-config", "--json", "--no-messages", "--no-ignore-messages", "--sort=path", "--no-mmap"];
  // The same rules everywhere: .gitignore and .git/info/exclude; those above the start are applied by the filter.
  yield* ["--no-ignore-global", "--no-ignore-dot", "--no-ignore-parent", "--no-require-git"];
  if (start.kind === "directory") yield `--max-filesize=${maxSearchFileBytes}`;
  yield caseFlags[query.case];
  if (query.fixedStrings) yield "--fixed-strings";
  if (query.wordRegexp) yield "--word-regexp";
  if (hidden) yield "--hidden";
  // So that `$` finds the end of a line that ends with CR LF; ripgrep then refuses to look for a CR itself.
  if (endsLinesWithReturn(query.pattern)) yield "--crlf";
}

const caseFlags = { smart: "--smart-case", sensitive: "--case-sensitive", insensitive: "--ignore-case" } as const;

function argumentsFor(request: EngineRequest, deniedGlobs: readonly string[]): readonly string[] {
  const { filter, start, query } = request;
  const include = filter.include.every(isPlainGlob) ? filter.include : [];
  const exclude = filter.exclude.filter(isPlainGlob).map((glob) => negate(anchored(glob)));
  const globs = start.kind === "directory" ? [...include.map(anchored), ...exclude, "!.git"] : [];
  const denied = deniedGlobs.filter(isPlainGlob).flatMap((glob) => [glob, `${glob}/**`]);
  return [
    ...flagsFor(request),
    ...globs.map((glob) => `--glob=${glob}`),
    ...denied.map((glob) => `--iglob=${negate(glob)}`),
    `--regexp=${query.pattern}`,
    "--",
    start.kind === "file" ? `./${basename(start.real)}` : "./",
  ];
}

/** What ripgrep and our own globs understand alike; the rest is left to the filter. */
function isPlainGlob(glob: string): boolean {
  return /^[\w.*?/ -]+$/.test(glob) && !/\*{3}|[^/]\*\*|\*\*[^/]/.test(glob);
}

/** To ripgrep a glob without a slash counts at any depth. */
function anchored(glob: string): string {
  return glob.includes("/") ? glob : `/${glob}`;
}

function negate(glob: string): string {
  return `!${glob}`;
}

function explain(problem: string): string {
  const withoutName = problem.replace(/^(rg|ripgrep): /, "");
  // It recommends flags that this tool does not have.
  return withoutName.replace(/\n*Consider enabling[\s\S]*$/, "").trim();
}
