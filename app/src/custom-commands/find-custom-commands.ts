import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError, messageOf } from "@capstan/protocol";
import { type CustomCommand, readCustomCommand } from "./custom-command.ts";

/** More files in a folder of commands are a mistake, such as a link to something else. */
const maxCommands = 500;
/** A prompt that is longer is no command. */
const maxFileBytes = 256 * 1024;
/** Folders in folders: each becomes a part of the name. */
const maxDepth = 3;

/** Where the user's commands lie. */
export function commandsFolder(home: string): string {
  return join(home, "commands");
}

/**
 * The user's commands by name, in the order of the names; none where the folder is missing.
 * @param home  Capstan's own directory (`settings.home`)
 * @throws {AppError} `config.unreadable` for a folder or file that cannot be read, or is too large
 */
export function findCustomCommands(home: string): readonly CustomCommand[] {
  const found: CustomCommand[] = [];
  addFrom(commandsFolder(home), [], found);
  return found.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function addFrom(folder: string, before: readonly string[], found: CustomCommand[]): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true && before.length < maxDepth) addFrom(path, [...before, entry.name], found);
    if (stats?.isFile() !== true || !entry.name.endsWith(".md")) continue;
    const name = [...before, entry.name.slice(0, -".md".length)].join(":");
    if (found.length === maxCommands) throw unreadable(folder, `it has more than ${maxCommands} commands`);
    if (stats.size > maxFileBytes) throw unreadable(path, `it has more than ${maxFileBytes} bytes`);
    found.push(readCustomCommand(name, path, textOf(path)));
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw unreadable(folder, messageOf(error), error);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").toWellFormed();
  } catch (error) {
    throw unreadable(path, messageOf(error), error);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError("config.unreadable", `commands: ${JSON.stringify(path)} cannot be used: ${reason}`, {
    cause,
    hint: "Correct the file, or move it out of the folder of commands.",
  });
}
