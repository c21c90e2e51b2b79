import { readFile, stat } from "node:fs/promises";
import { AppError, messageOf } from "@capstan/protocol";
import { readOpencodeFolder } from "@capstan/importers";
import { quotePath } from "@capstan/settings";
import { maxFileBytes } from "../limits.ts";

/**
 * The text of a session file; a session that opencode keeps in pieces is put together as its export would be.
 * @throws {AppError} `import.unreadable`
 */
export async function readSource(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (stats.isFile() && stats.size > maxFileBytes) throw unreadable(path, `it has more than ${maxFileBytes} bytes`);
    if (!stats.isFile() && !stats.isDirectory()) throw unreadable(path, "it is neither a file nor a folder");
    return (await readOpencodeFolder(path)) ?? (stats.isDirectory() ? "" : await readFile(path, "utf8"));
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(path, messageOf(error), error);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError("import.unreadable", `${quotePath(path)} cannot be read: ${reason}`, {
    cause,
    hint: "Name a session file of Capstan, Claude Code, Codex CLI, pi, opencode or Gemini CLI.",
  });
}
