import type { FoundFiles, Workspace } from "@capstan/protocol";
import type { FileFinderOptions } from "../options.ts";
import type { FileFinder } from "./file-finder.ts";

/** Finds files of workspaces by letters of their paths. Its code loads with the first word that is looked for. */
export function openFileFinder(
  options: FileFinderOptions,
): (workspace: Workspace, text: string, limit: number) => Promise<FoundFiles> {
  let loading: Promise<FileFinder> | undefined;
  return async (workspace, text, limit) => {
    loading ??= import("./file-finder.ts").then((loaded) => new loaded.FileFinder(options));
    return await (await loading).find(workspace, text, limit);
  };
}
