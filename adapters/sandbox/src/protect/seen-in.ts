import { basename, dirname } from "node:path";
import { identityAt } from "./identity-at.ts";
import { type FolderIdentity, OpenFolder } from "./open-folder.ts";

/** The folder in which this very file lies under its name; `undefined`: it does not lie there, or nobody can say. */
export function folderWith(path: string, identity: string): FolderIdentity | undefined {
  return inFolder(
    () => OpenFolder.at(dirname(path)),
    (folder) => (identityAt(folder.entry(basename(path))) === identity ? folder.identity : undefined),
  );
}

/**
 * Whether a covered file is no longer in the folder in which it was seen, while that folder is at its place. No command can have done that: for all of
 * them the file is a mount point, which can be moved with the folder and not out of it. Whoever did it works outside of the sandbox.
 */
export function wasTakenOut(path: string, identity: string, seenIn: FolderIdentity): boolean {
  const isOut = inFolder(
    () => OpenFolder.again(dirname(path), seenIn),
    (folder) => identityAt(folder.entry(basename(path))) !== identity,
  );
  return isOut === true;
}

function inFolder<Result>(
  open: () => OpenFolder | undefined,
  look: (folder: OpenFolder) => Result,
): Result | undefined {
  let folder: OpenFolder | undefined;
  try {
    folder = open();
    return folder === undefined ? undefined : look(folder);
  } catch {
    return undefined;
  } finally {
    folder?.close();
  }
}
