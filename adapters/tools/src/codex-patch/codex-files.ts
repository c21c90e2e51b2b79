import { type ErrorCode, ToolRefusal } from "@capstan/protocol";
import type { ToolContext } from "@capstan/ports";
import { textOf } from "../files/current-file.ts";
import { checkPlannedFiles } from "../files/check-planned-files.ts";
import type { PlannedFile } from "../files/staged-files.ts";
import { encodeText } from "../files/text-content.ts";
import { patchLimits } from "../lp1/limits.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { applyChunks } from "./apply-chunks.ts";
import type { CodexSection } from "./codex-patch.ts";
import { type Draft, DraftFiles } from "./draft-files.ts";

/** A section with the places its paths lead to. */
export interface PlacedCodexSection {
  readonly section: CodexSection;
  readonly resolved: ResolvedPath;
  /** Where the file goes, when it goes elsewhere. */
  readonly target: ResolvedPath | null;
}

/** What a patch makes of its files, and what the model reads of it. */
export interface CodexOutcome {
  readonly files: readonly PlannedFile[];
  readonly report: string;
}

/**
 * Works out what a patch makes of its files, one section after the other; writes nothing. A file need not have been read: the lines that a change
 * quotes prove what its author saw. What is overwritten or deleted as a whole must not have changed since it was read, if it was.
 * @param missing  the refusal for a file that is not there
 * @throws {ToolRefusal} `patch.failed`, `file.stale`, `file.binary`, `file.too-large`, `path.*`
 */
export async function computeCodexFiles(
  sections: readonly PlacedCodexSection[],
  context: Pick<ToolContext, "knownFile" | "signal">,
  missing: (path: string) => Promise<ToolRefusal>,
): Promise<CodexOutcome> {
  const files = new DraftFiles(context);
  const listed: Listed[] = [];
  let lineVisits = 0;
  for (const placed of sections) {
    context.signal.throwIfAborted();
    const { section, resolved, target } = placed;
    const draft = await files.open(resolved);
    if (section.type === "add") {
      files.checkUnchanged(draft, section.line);
      files.write(draft, Buffer.from(section.lines.map((line) => `${line}\n`).join("")));
      listed.push({ mark: "A", shown: resolved.shown });
      continue;
    }
    if (draft.now === null) throw await missing(section.path);
    if (section.type === "delete") {
      files.checkUnchanged(draft, section.line);
      files.write(draft, null);
      listed.push({ mark: "D", shown: resolved.shown });
      continue;
    }
    const updated = updatedContent(section, draft, draft.now, lineVisits);
    lineVisits = updated.lineVisits;
    if (target === null) files.write(draft, updated.content);
    else await files.move(draft, target, updated.content, section.line);
    listed.push({ mark: "M", shown: (target ?? resolved).shown });
  }
  const planned = files.planned();
  checkPlannedFiles(planned, patchLimits.maxTotalBytes);
  return { files: planned, report: report(listed) };
}

interface Listed {
  readonly mark: "A" | "M" | "D";
  readonly shown: string;
}

/** What was added first, then what was changed, then what was deleted. */
function report(listed: readonly Listed[]): string {
  const order = { A: 0, M: 1, D: 2 };
  const lines = listed
    .toSorted((one, other) => order[one.mark] - order[other.mark])
    .map(({ mark, shown }) => `${mark} ${shown}`);
  return ["Success. Updated the following files:", ...new Set(lines)].join("\n");
}

function updatedContent(
  section: CodexSection & { readonly type: "update" },
  { resolved }: Draft,
  now: Buffer,
  visitedBefore: number,
): { readonly content: Buffer; readonly lineVisits: number } {
  if (section.chunks.length === 0) return { content: now, lineVisits: visitedBefore };
  const current = textOf(now, resolved.shown);
  const result = applyChunks(current.text, section.chunks, quotedPath(resolved.shown), visitedBefore);
  if (result.type === "misfit") throw codexMisfit(result.line, "patch.failed", result.problem, result.advice);
  return { content: encodeText({ ...current, text: result.text }), lineVisits: result.lineVisits };
}

function codexMisfit(line: number, code: ErrorCode, problem: string, advice: string): ToolRefusal {
  return new ToolRefusal("rejected", code, `Patch line ${line}: ${problem}. No file was changed. ${advice}`);
}
