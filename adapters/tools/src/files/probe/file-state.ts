import { AppError, type FileEvidence } from "@capstan/protocol";
import { withPinnedFile } from "../../paths/pinned-file.ts";
import type { ResolvedPath } from "../../paths/workspace-paths.ts";
import { hashFile } from "../commit/hash-file.ts";

/** What a file looks like, compared with what a call was about to make of it. */
export type FileState = "applied" | "not-applied" | "changed" | "gone" | "unreadable";

/** Reads the file as it is now, by descriptor, without following a link. A change that changes nothing counts as applied. */
export async function fileState({ before, after }: FileEvidence, place: ResolvedPath | undefined): Promise<FileState> {
  const now = place === undefined ? { type: "unreadable" as const } : await currentHash(place);
  if (now.type !== "hash") return now.type;
  if (now.sha256 === after) return "applied";
  if (now.sha256 === before) return "not-applied";
  return now.sha256 === null ? "gone" : "changed";
}

/** A `null` hash: there is no such file. */
type CurrentHash =
  | { readonly type: "hash"; readonly sha256: string | null }
  /** There is something else in its place, or on the way to it. */
  | { readonly type: "changed" }
  | { readonly type: "unreadable" };

async function currentHash(place: ResolvedPath): Promise<CurrentHash> {
  try {
    return { type: "hash", sha256: await withPinnedFile(place, hashFile) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    switch (error.code) {
      case "path.not-found":
        return { type: "hash", sha256: null };
      case "path.not-a-file":
      case "path.outside":
        return { type: "changed" };
      default:
        return { type: "unreadable" };
    }
  }
}
