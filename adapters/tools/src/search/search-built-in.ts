import { AppError } from "@capstan/protocol";
import { gitignoreWalk } from "../gitignore-walk.ts";
import { readPinned } from "../paths/pinned-file.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { decodeText } from "./decode-text.ts";
import { fileBelow } from "./file-below.ts";
import { maxCountedMatches, maxNamedFileBytes, maxSearchFileBytes } from "./limits.ts";
import { MatchWorker } from "./match-worker.ts";
import type { EngineEnd, EngineRequest, SearchEngine, TakeFile } from "./search-engine.ts";
import { endsLinesWithReturn, translateRegex } from "./translate-regex.ts";

/** Searches without any program: same files, same lines, only slower. */
export const searchBuiltIn: SearchEngine = async (request, take) => {
  const regex = translateRegex(request.query);
  if (regex.type === "problem") return { type: "bad-pattern", message: regex.message };
  const worker = new MatchWorker(regex.source, regex.flags, endsLinesWithReturn(request.query.pattern));
  const late = AbortSignal.timeout(request.timeoutMs);
  const job: Job = { worker, take, signal: AbortSignal.any([request.signal, late]) };
  try {
    return request.start.kind === "file" ? await searchNamed(request, job) : await searchTree(request, job);
  } catch (error) {
    request.signal.throwIfAborted();
    if (late.aborted) return { type: "incomplete", reason: "time" };
    throw error;
  } finally {
    await worker.end();
  }
};

interface Job {
  readonly worker: MatchWorker;
  readonly take: TakeFile;
  readonly signal: AbortSignal;
}

async function searchNamed(request: EngineRequest, job: Job): Promise<EngineEnd> {
  const answer = await searchFile(request.start, "", maxNamedFileBytes, job);
  return answer === "stop" ? { type: "incomplete", reason: "count" } : { type: "complete" };
}

async function searchTree(request: EngineRequest, job: Job): Promise<EngineEnd> {
  const { filter, hidden, start, timeoutMs } = request;
  let stopped = false;
  const tree = {
    start: start.real,
    root: start.root,
    hidden,
    timeoutMs,
    signal: job.signal,
    skips: (path: string) => filter.skips(path),
  };
  const stop = await gitignoreWalk(tree, async ({ path, type }) => {
    if (type !== "file" || !filter.accepts(path)) return "go-on";
    const answer = await searchFile(fileBelow(start, path), path, maxSearchFileBytes, job);
    stopped = answer === "stop";
    return answer;
  });
  if (stopped) return { type: "incomplete", reason: "count" };
  return stop === undefined ? { type: "complete" } : { type: "incomplete", reason: stop };
}

async function searchFile(file: ResolvedPath, path: string, limitBytes: number, job: Job): Promise<"go-on" | "stop"> {
  const text = await readText(file, limitBytes);
  if (text === undefined || text === "") return "go-on";
  const matches = await job.worker.match(text, maxCountedMatches + 1, job.signal);
  return matches.length === 0 ? "go-on" : job.take(path, matches);
}

/** `undefined`: too large, binary, not to be read, or gone meanwhile; a search passes over it. */
async function readText(file: ResolvedPath, limitBytes: number): Promise<string | undefined> {
  try {
    return decodeText(await readPinned(file, limitBytes));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
