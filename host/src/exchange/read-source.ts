import { readFile, stat } from "node:fs/promises";
import { AppError, messageOf } from "@capstan/protocol";
import { readOpencodeFolder } from "@capstan/importers";
import { quotePath } from "@capstan/settings";
import { maxFileBytes } from "../limits.ts";

/**
 * The text of a session file; a session that opencode keeps in pieces, or in its database, is put together as its export would be.
 * @param path  of a file or a folder; `opencode.db#ses_…` names a session of a database
 * @throws {AppError} `import.unreadable`
 */
export async function readSource(path: string): Promise<string> {
  try {
    const { file, session } = await placeOf(path);
    const stats = await stat(file);
    const { isDatabase, readOpencodeDatabase } = await import("./opencode-database.ts");
    if (stats.isFile() && isDatabase(file)) return readOpencodeDatabase(file, session);
    if (stats.isFile() && stats.size > maxFileBytes) throw unreadable(path, `it has more than ${maxFileBytes} bytes`);
    if (!stats.isFile() && !stats.isDirectory()) throw unreadable(path, "it is neither a file nor a folder");
    if (session !== undefined) throw unreadable(path, `${quotePath(file)} is no database of sessions`);
    return (await readOpencodeFolder(path)) ?? (stats.isDirectory() ? "" : await readFile(path, "utf8"));
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(path, messageOf(error), error);
  }
}

/** A file is named as it is; what follows the last `#` of a name that is none is a session in it. */
async function placeOf(path: string): Promise<{ readonly file: string; readonly session?: string }> {
  const at = path.lastIndexOf("#");
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || at <= 0 ? { file: path } : { file: path.slice(0, at), session: path.slice(at + 1) };
}

function unreadable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError("import.unreadable", `${quotePath(path)} cannot be read: ${reason}`, {
    cause,
    hint: "Name a session file of Capstan, Claude Code, Codex CLI, pi, opencode, Gemini CLI or Ted.",
  });
}
