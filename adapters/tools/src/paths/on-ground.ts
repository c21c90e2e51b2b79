import { dirname } from "node:path";
import type { Ground } from "@capstan/ports";
import type { Destination } from "./follow-links.ts";

/** Where a path leads once the calls before have done what they were staged to do. `content`: `null` for a directory that holds what they make. */
export type StagedDestination =
  | Destination
  | { readonly type: "staged"; readonly real: string; readonly content: Buffer | null };

/** Lays what calls will have done over what is on disk. They make and delete files, and no links. */
export function onGround(disk: Destination, ground: Ground | undefined): StagedDestination {
  if (ground === undefined || (disk.type !== "found" && disk.type !== "missing")) return disk;
  const { real } = disk;
  const file = ground.file(real);
  if (file !== undefined) {
    return file.content === null
      ? { type: "missing", real }
      : { type: "staged", real, content: Buffer.from(file.content) };
  }
  if (disk.type === "found") return disk;
  if (ground.isDirectory(real)) return { type: "staged", real, content: null };
  const at = fileAbove(real, ground);
  return at === undefined ? disk : { type: "under-file", at };
}

function fileAbove(real: string, ground: Ground): string | undefined {
  for (let above = dirname(real); above !== dirname(above); above = dirname(above)) {
    const content = ground.file(above)?.content;
    if (content !== undefined && content !== null) return above;
  }
  return undefined;
}
