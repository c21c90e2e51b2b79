import { ToolRefusal, type Workspace } from "@capstan/protocol";
import { readPinned } from "./pinned-file.ts";
import { WorkspacePaths } from "./workspace-paths.ts";

/** Gives what a file of a workspace holds now; `undefined`: it is gone, too large, protected, or no file of the workspace under this very path. */
export type WorkspaceReader = (path: string, limitBytes: number) => Promise<Buffer | undefined>;

/**
 * Reads files for whoever is not a tool, by the same rules: no link leads out, whatever is put in the file's place meanwhile.
 * @throws {AppError} `config.invalid` for a deny pattern that cannot be read
 */
export function workspaceReader(workspace: Workspace, deniedPatterns: readonly string[]): WorkspaceReader {
  // Kept output is shown to no reader that has no session.
  const paths = new WorkspacePaths({ deniedPatterns, allowAbsolute: true, spillDirectory: workspace.cwd });
  return async (path, limitBytes) => {
    try {
      const resolved = await paths.resolve(workspace, path, "read");
      return resolved.real === path ? await readPinned(resolved, limitBytes) : undefined;
    } catch (error) {
      if (error instanceof ToolRefusal) return undefined;
      throw error;
    }
  };
}
