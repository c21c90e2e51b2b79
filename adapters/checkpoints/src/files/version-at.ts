import { basename, dirname } from "node:path";
import { PinnedFolder } from "./pinned-folder.ts";
import { type FoundVersion, readingFailed, readVersion } from "./read-version.ts";

/** What stands at an absolute real path. A link on the way means that nothing stands there. */
export async function versionAt(path: string): Promise<FoundVersion> {
  let folder: PinnedFolder;
  try {
    folder = PinnedFolder.at(dirname(path));
  } catch (error) {
    return readingFailed(error);
  }
  try {
    return await readVersion(folder, basename(path));
  } finally {
    folder.close();
  }
}
