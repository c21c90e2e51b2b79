import { type LineDiff, lineDiff } from "./line-diff.ts";
import type { TrustFile } from "./read-trust-files.ts";
import { type TrustEntry, textOf } from "./trust-entry.ts";

/** A file that is not as it was when its folder was trusted. */
export interface FileDifference {
  /** From the trusted folder. */
  readonly name: string;
  /** `unseen`: it lies where nobody looked when the folder was trusted; whether it was there then is not known. */
  readonly change: "changed" | "added" | "unseen";
  /** Line by line; absent where one of the two was no text, or was too long to be kept. */
  readonly diff?: LineDiff;
}

/**
 * What of these files the user has not seen. A file that is gone enables nothing, and is no difference.
 * @param levels  the directories that they were looked for in, from the folder, outermost first
 */
export function differences(
  entry: TrustEntry,
  files: readonly TrustFile[],
  levels: readonly string[],
): readonly FileDifference[] {
  const known = new Map(entry.files.map((file) => [file.name, file]));
  return files.flatMap(({ name, class: className, sha256, bytes }): readonly FileDifference[] => {
    const before = known.get(name);
    if (before?.sha256 === sha256 && before.class === className) return [];
    const old = before === undefined ? "" : before.text;
    const young = textOf(bytes);
    const diff = old === undefined || young === undefined ? {} : { diff: lineDiff(old, young) };
    const change = before !== undefined ? "changed" : wasLookedAt(entry, levels, name) ? "added" : "unseen";
    return [{ name, change, ...diff }];
  });
}

/** Whether somebody looked into the directory whose file it is when the folder was trusted: its own, or the one it is a folder of. */
function wasLookedAt({ levels = [""] }: TrustEntry, levelsHere: readonly string[], name: string): boolean {
  const innermost = levelsHere.findLast((level) => level === "" || name.startsWith(`${level}/`));
  return innermost === undefined || levels.includes(innermost);
}
