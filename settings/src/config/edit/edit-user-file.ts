import { chmodSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { AppError, messageOf } from "@capstan/protocol";
import { readUserFile } from "../files/read-config-file.ts";
import { quotePath } from "../quote.ts";

/**
 * Changes the user's own file, which is whole at every moment. What it links to is changed, and not the link.
 * @param change  the text (empty where there is no file) to what it becomes; `undefined`: nothing is written
 * @returns whether it was changed
 * @throws AppError `config.unreadable`, `storage.unavailable`, and what `change` throws
 */
export async function editUserFile(
  file: string,
  change: (text: string) => Promise<string | undefined>,
): Promise<boolean> {
  const read = readUserFile(file);
  if (read.type === "refused")
    throw new AppError("config.unreadable", `${quotePath(file)}: ${read.reason}`, {
      hint: "Another user could decide what runs here. Read the file, then make it yours alone: chmod 600, chown.",
    });
  const changed = await change(read.type === "text" ? read.text : "");
  if (changed === undefined) return false;
  const target = read.type === "text" ? realpathSync.native(file) : file;
  const beside = `${target}.${process.pid}`;
  try {
    writeFileSync(beside, changed, { mode: 0o600, flag: "wx" });
    chmodSync(beside, 0o600);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new AppError("storage.unavailable", `${quotePath(file)} cannot be written: ${messageOf(error)}`, {
      cause: error,
      hint: "Check the permissions of its folder.",
    });
  }
  return true;
}
