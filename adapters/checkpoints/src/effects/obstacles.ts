import type { CheckpointParts } from "../keep.ts";
import { type FileEffect, type FileVersion, unreachable } from "@capstan/protocol";
import { errorCode } from "../files/error-code.ts";
import { PinnedFolder } from "../files/pinned-folder.ts";
import type { FoundVersion } from "../files/read-version.ts";
import { isSameVersion } from "../since.ts";
import { ChangedMeanwhile } from "./replace-file.ts";

/** What an effect finds where it is to be made. `done`: it is there already; `free`: nothing stands in its way. */
export type Standing = { readonly type: "done" | "free" } | { readonly type: "conflict"; readonly reason: string };

export function standingOf(
  store: CheckpointParts["store"],
  { before, after }: FileEffect,
  found: FoundVersion,
): Standing {
  const present = versionOf(found);
  if (present === "other") return { type: "conflict", reason: describeOther(found) };
  if (isSameVersion(present, after)) return { type: "done" };
  if (!isSameVersion(present, before)) return { type: "conflict", reason: describeChange(present, before) };
  if (present !== null && !store.has(present.blob)) return { type: "conflict", reason: notKept };
  return { type: "free" };
}

export const deletedSince = "somebody deleted it since";

/** @throws for a link on the way, or what is not a folder */
export function openIfThere(path: string): PinnedFolder | undefined {
  try {
    return PinnedFolder.at(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The same, but what is not a folder, or is reached through a link, is not there. */
export function openIfFolder(path: string): PinnedFolder | undefined {
  try {
    return openIfThere(path);
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function versionOf(found: FoundVersion): FileVersion | null | "other" {
  switch (found.type) {
    case "kept":
    case "large":
      return found.version;
    case "missing":
      return null;
    case "folder":
    case "unknown":
      return "other";
    default:
      return unreachable(found);
  }
}

export const lost: string = "what it should become is not in the checkpoint store";
const notKept = "its present content is too large to be kept and could not be brought back";

function describeOther(found: FoundVersion): string {
  if (found.type === "folder") return "it is a folder now";
  return found.type === "unknown" ? `it ${found.reason}` : "it cannot be read";
}

function describeChange(present: FileVersion | null, before: FileVersion | null): string {
  if (present === null) return deletedSince;
  if (before === null) return "somebody created it since";
  return present.blob === before.blob
    ? "somebody changed since whether it is executable, or a link"
    : "somebody changed it since";
}

export function reasonOf(error: unknown): string {
  if (error instanceof ChangedMeanwhile) return "somebody changed it at the same moment";
  const code = errorCode(error) ?? "unknown error";
  if (code === "ENOTDIR" || code === "ELOOP") return "a folder on the way to it is a file or a link now";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return `it may not be written (${code})`;
  return code === "ENOSPC" || code === "EDQUOT" ? `the disk is full (${code})` : `it cannot be written (${code})`;
}
