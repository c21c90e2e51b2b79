import { diffTexts } from "@capstan/diff";
import type { FileChange } from "@capstan/protocol";

/**
 * What changed in one text file.
 * @param shown  the path as shown
 * @param before  `null`: it did not exist
 * @param after  `null`: it is deleted
 * @returns with a unified diff; without one where the texts are too different, and then with estimated counts
 */
export function fileChange(shown: string, before: string | null, after: string | null): FileChange {
  const kind = before === null ? "created" : after === null ? "deleted" : "modified";
  const names = { before: before === null ? null : shown, after: after === null ? null : shown };
  const { addedLines, removedLines, diff } = diffTexts(names, before ?? "", after ?? "");
  return { path: shown, kind, addedLines, removedLines, ...(diff === undefined ? {} : { diff }) };
}
