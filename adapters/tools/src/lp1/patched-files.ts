import { type ErrorCode, ToolRefusal } from "@capstan/protocol";
import type { ToolContext } from "@capstan/ports";
import { checkPlannedFiles } from "../files/check-planned-files.ts";
import { maxHashBytes } from "../files/limits.ts";
import { sha256 } from "../files/sha256.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import { readPinned } from "../paths/pinned-file.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { applyOperations } from "./apply-operations.ts";
import { emitFileModel, emptyFileModel, type FileModel, readFileModel } from "./file-model.ts";
import { patchLimits } from "./limits.ts";
import { type FileSection, isMatchOperation, type Operation, operationLetters } from "./patch.ts";

/** A section with the place its path leads to. */
export interface PlacedSection {
  readonly section: FileSection;
  readonly resolved: ResolvedPath;
}

/** What the model has seen, and when to stop. */
type SeenFiles = Pick<ToolContext, "knownFile" | "signal">;

/** A file as a patch found it and would leave it. */
export interface PatchedFile {
  readonly resolved: ResolvedPath;
  /** The bytes found; `null`: there is no file yet. */
  readonly before: Buffer | null;
  readonly after: Buffer;
  /** Line ends were mixed, and all of them are written again. */
  readonly mixedEol: boolean;
}

/**
 * Works out what a patch makes of its files; writes nothing. Several sections of one file continue where the one before ended.
 * @returns the files that come out different, in the order they are first named
 * @throws {ToolRefusal} `file.not-read`, `file.stale`, `file.too-large`, `patch.failed`, `path.*`
 */
export async function computePatchedFiles(
  sections: readonly PlacedSection[],
  context: SeenFiles,
): Promise<readonly PatchedFile[]> {
  const drafts = new Map<string, Draft>();
  let totalBytes = 0;
  let lineVisits = 0;
  for (const placed of sections) {
    context.signal.throwIfAborted();
    const known = drafts.get(placed.resolved.real);
    const draft = known ?? (await openDraft(placed, context));
    if (known === undefined) totalBytes += draft.before?.length ?? 0;
    const applied = applySection(draft, placed.section, lineVisits);
    lineVisits = applied.lineVisits;
    drafts.set(placed.resolved.real, applied.draft);
    if (totalBytes > patchLimits.maxTotalBytes)
      throw tooLarge("All files of the patch together are", patchLimits.maxTotalBytes);
  }
  const files = [...drafts.values()].flatMap(finish);
  checkPlannedFiles(files, patchLimits.maxTotalBytes);
  return files;
}

interface Draft {
  readonly resolved: ResolvedPath;
  readonly before: Buffer | null;
  readonly model: FileModel;
  /** Some operation was applied; a file nobody touched stays as it is, mixed line ends included. */
  readonly touched: boolean;
}

async function openDraft({ section, resolved }: PlacedSection, context: SeenFiles): Promise<Draft> {
  if (resolved.kind === "missing") {
    return { resolved, before: null, model: emptyFileModel, touched: false };
  }
  const before = await readSeen(section, resolved, context);
  const read = readFileModel(before);
  if (read.type === "not-text") {
    throw misfit(section, "patch.failed", `${read.problem}: ${quoted(resolved)}`, "It cannot be patched as text.");
  }
  return { resolved, before, model: read.model, touched: false };
}

async function readSeen(section: FileSection, resolved: ResolvedPath, context: SeenFiles): Promise<Buffer> {
  const seen = context.knownFile(resolved.real);
  if (seen === undefined) {
    const problem = `File was not read before patching: ${quoted(resolved)}`;
    throw misfit(section, "file.not-read", problem, "Read it with read_file, then patch.");
  }
  const bytes = await readPinned(resolved, maxHashBytes);
  if (sha256(bytes) === seen) return bytes;
  const problem = `File content changed since last read: ${quoted(resolved)}`;
  throw misfit(section, "file.stale", problem, "Read it again, then patch.");
}

function applySection(
  draft: Draft,
  section: FileSection,
  visitedBefore: number,
): { readonly draft: Draft; readonly lineVisits: number } {
  const matching = section.operations.find(isMatchOperation);
  if (draft.before === null && !draft.touched && matching !== undefined) {
    const letter = operationLetters[matching.type];
    const problem = `File does not exist for match-based operation (${letter}): ${quoted(draft.resolved)}`;
    throw misfit(matching, "patch.failed", problem, "A new file takes only T, B and N.");
  }
  const result = applyOperations(draft.model, section.operations, visitedBefore);
  if (result.type === "applied") {
    const touched = draft.touched || section.operations.length > 0;
    return { draft: { ...draft, model: result.model, touched }, lineVisits: result.lineVisits };
  }
  const operation: Operation | undefined = section.operations[result.operation - 1];
  const letter = operation === undefined ? "" : ` (${operationLetters[operation.type]})`;
  const where = `${quoted(draft.resolved)}, operation ${result.operation}${letter}`;
  throw misfit(operation ?? section, "patch.failed", `${where}: ${result.problem}`, result.advice);
}

/** Nothing for a file whose bytes stay as they are, or that no operation asked to create. */
function finish({ resolved, before, model, touched }: Draft): readonly PatchedFile[] {
  const after = Buffer.from(emitFileModel(model));
  return touched && (before === null || !after.equals(before))
    ? [{ resolved, before, after, mixedEol: model.mixedEol }]
    : [];
}

function tooLarge(subject: string, limitBytes: number): ToolRefusal {
  return new ToolRefusal(
    "rejected",
    "file.too-large",
    `${subject} larger than ${limitBytes} bytes. No file was changed.`,
  );
}

function misfit(place: { readonly line: number }, code: ErrorCode, problem: string, advice: string): ToolRefusal {
  return new ToolRefusal("rejected", code, `Patch line ${place.line}: ${problem}. No file was changed. ${advice}`);
}

function quoted(resolved: ResolvedPath): string {
  return quotedPath(resolved.shown);
}
