import type { ToolProbeContext } from "@capstan/ports";
import { AppError, type FileEvidence, type Finding, type SettleEvidence } from "@capstan/protocol";
import type { ToolsOptions } from "../../options.ts";
import { quotedPath } from "../../paths/path-syntax.ts";
import type { ResolvedPath, WorkspacePaths } from "../../paths/workspace-paths.ts";
import { withinTime } from "../within-time.ts";
import { type FileState, fileState } from "./file-state.ts";
import { findKeptCopy } from "./find-kept-copy.ts";
import { sweepBeside } from "./sweep-beside.ts";

/** What to look with: the paths of today, and how long a file system may take. */
export interface FileProbing {
  readonly paths: WorkspacePaths;
  readonly timeouts: ToolsOptions["timeouts"];
}

/**
 * Finds out whether a change of files took place whose Capstan died: the files' hashes prove it. What the dead process left
 * of its own is removed; nothing else is touched.
 */
export async function probeFiles(
  { files }: SettleEvidence,
  context: ToolProbeContext,
  { paths, timeouts }: FileProbing,
): Promise<Finding> {
  const { workspace } = context;
  const probed = files.map((evidence) => ({
    evidence,
    place: paths.judgedBefore(workspace, evidence.path),
    shown: paths.shown(workspace, evidence.path),
  }));
  const found = await withinTime(timeouts.fileMs, context.signal, async (signal) => await lookAt(probed, signal)).catch(
    (error: unknown) => {
      context.signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      return probed.map((one) => ({ ...one, state: "unreadable" as const }));
    },
  );
  const finding = await conclude(found);
  if (finding.type !== "in-doubt")
    await sweepBeside(
      found.map(({ place }) => place),
      replacedBy(finding, files),
    );
  return finding;
}

/** Where every file is as intended, nobody needs the old copies. */
function replacedBy(finding: Finding, files: SettleEvidence["files"]): ReadonlySet<string> {
  if (finding.type !== "ended") return new Set();
  return new Set(files.flatMap(({ before, after }) => (before === null || before === after ? [] : [before])));
}

interface ProbedFile {
  readonly evidence: FileEvidence;
  /** `undefined`: outside today's workspace, or protected. */
  readonly place: ResolvedPath | undefined;
  readonly shown: string;
}

type FoundFile = ProbedFile & { readonly state: FileState };

async function lookAt(files: readonly ProbedFile[], signal: AbortSignal): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    found.push({ ...file, state: await fileState(file.evidence, file.place) });
  }
  return found;
}

async function conclude(files: readonly FoundFile[]): Promise<Finding> {
  if (files.every(({ state }) => state === "applied")) return applied(files);
  if (files.every(({ state }) => state === "not-applied")) {
    return { type: "untouched", text: `Capstan was killed before the change was made: ${names(files)} as before.` };
  }
  const states = await Promise.all(files.map(describe));
  const text = `Capstan was killed during the change, and what became of it is not known: ${states.join("; ")}.`;
  return { type: "in-doubt", text };
}

function applied(files: readonly FoundFile[]): Finding {
  const changed = files.filter(({ evidence: { before, after } }) => before !== after);
  const about = changed.length === 0 ? "there was nothing to change" : `the change is in place in ${names(changed)}`;
  return {
    type: "ended",
    outcome: { type: "done", content: `Capstan was killed while this ran. It was checked since: ${about}.` },
    changes: changed.map(({ evidence: { before, after }, shown }) => ({
      path: shown,
      kind: before === null ? "created" : after === null ? "deleted" : "modified",
      addedLines: 0,
      removedLines: 0,
    })),
    observed: files.flatMap(({ evidence: { path, after } }) => (after === null ? [] : [{ path, sha256: after }])),
  };
}

function names(files: readonly FoundFile[]): string {
  return files.map(({ shown }) => quotedPath(shown)).join(", ");
}

async function describe({ evidence, place, shown, state }: FoundFile): Promise<string> {
  const line = `${quotedPath(shown)} ${stateWords[state]}`;
  const copy = state === "gone" && place !== undefined ? await findKeptCopy(place, evidence.before) : undefined;
  return copy === undefined ? line : `${line} (its old content is kept beside it as ${quotedPath(copy)})`;
}

const stateWords: Readonly<Record<FileState, string>> = {
  applied: "has been changed as intended",
  "not-applied": "is as before",
  changed: "is neither as before nor as intended: something else changed it",
  gone: "is gone",
  unreadable: "cannot be read now",
};
