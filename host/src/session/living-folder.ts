import { stat } from "node:fs/promises";
import { AppError, type SessionId, type Workspace } from "@capstan/protocol";

/** The workspace where its folder is still there; `null`: it was removed or renamed since. */
export async function livingFolder(workspace: Workspace | null): Promise<Workspace | null> {
  if (workspace === null) return null;
  const found = await stat(workspace.cwd).catch(() => undefined);
  return found?.isDirectory() === true ? workspace : null;
}

/** What somebody learns who opens a session whose folder is gone. */
export function goneFolder({ cwd }: Workspace, id: SessionId | undefined): AppError {
  const line = id === undefined ? "" : ` (\`capstan --resume ${id} --fork-session "what is left to do?"\`)`;
  return new AppError("usage.workspace-missing", `the folder of this session is gone: ${cwd}`, {
    hint: `Continue in a copy of the session here, with --fork-session${line}, or make the folder again: mkdir -p ${quoted(cwd)}`,
  });
}

/** One word for any shell. */
function quoted(path: string): string {
  return /^[\w/.:@%+,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
