import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import type { Settings } from "@capstan/host";
import { AppError, messageOf } from "@capstan/protocol";
import { type CustomCommand, readCustomCommand } from "./custom-command.ts";
import { readScriptCommand } from "./script-command.ts";
import { shippedCommands } from "./shipped/shipped-commands.ts";

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

/** Where commands are looked for. */
export type CommandPlaces = Pick<Settings, "home" | "env" | "trust">;

/**
 * Commands by name, in the order of the names: the user's own, then those a trusted workspace brings along, then those that come with
 * Capstan. Of two of one name the first counts.
 * @throws {AppError} `config.unreadable` for a folder or file of Capstan's that cannot be read, or is too large
 */
export function findCustomCommands({ home, env, trust }: CommandPlaces): readonly CustomCommand[] {
  const found: CustomCommand[] = [];
  addFrom(commandsFolder(home), [], found);
  addScripts(commandsFolder(home), found);
  const { HOME: user = "" } = env;
  // What other agents of the user read; what is wrong there is theirs to say.
  if (isAbsolute(user)) addOthers(found, () => collected(join(user, ".claude", "commands")));
  if (trust.trusted) addOthers(found, () => broughtAlong(trust));
  addOthers(found, shipped);
  return found.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function shipped(): readonly CustomCommand[] {
  return Object.entries(shippedCommands).map(([name, text]) => readCustomCommand({ name, from: "capstan" }, text));
}

function collected(folder: string): readonly CustomCommand[] {
  const found: CustomCommand[] = [];
  try {
    addFrom(folder, [], found);
  } catch {
    // Those before it are there.
  }
  return found;
}

function addOthers(found: CustomCommand[], others: () => readonly CustomCommand[]): void {
  const names = new Set(found.map(({ name }) => name));
  for (const command of others()) {
    if (!names.has(command.name)) found.push(command);
    names.add(command.name);
  }
}

/** Files of the workspace's folders of commands, as the user trusted them. */
function broughtAlong({ approved }: CommandPlaces["trust"]): readonly CustomCommand[] {
  return [...approved].flatMap(([file, sha256]) => {
    const [, path] = /\/\.(?:capstan|claude)\/commands\/(.+)\.md$/.exec(file) ?? [];
    if (path === undefined) return [];
    try {
      const bytes = readFileSync(file);
      if (createHash("sha256").update(bytes).digest("hex") !== sha256) return [];
      const name = path.split("/").join(":");
      return [readCustomCommand({ name, file, from: "workspace" }, bytes.toString("utf8").toWellFormed())];
    } catch {
      return [];
    }
  });
}

function addFrom(folder: string, before: readonly string[], found: CustomCommand[]): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    const stats = statsOf(path);
    if (stats?.isDirectory() === true && before.length < maxDepth) addFrom(path, [...before, entry.name], found);
    if (stats?.isFile() !== true || !entry.name.endsWith(".md")) continue;
    const name = [...before, entry.name.slice(0, -".md".length)].join(":");
    if (found.length === maxCommands) throw unreadable(folder, `it has more than ${maxCommands} commands`);
    if (stats.size > maxFileBytes) throw unreadable(path, `it has more than ${maxFileBytes} bytes`);
    found.push(readCustomCommand({ name, file: path, from: "user" }, textOf(path)));
  }
}

/** Programs of the user's own folder that name what runs them; those of other agents and of a workspace are none. */
function addScripts(folder: string, found: CustomCommand[]): void {
  const names = new Set(found.map(({ name }) => name));
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    const stats = statsOf(path);
    const [, name] = /^([A-Za-z][\w-]*)(?:\.[A-Za-z]+)?$/.exec(entry.name) ?? [];
    const isProgram = stats?.isFile() === true && (stats.mode & anyExecute) !== 0 && stats.size <= maxFileBytes;
    if (name === undefined || !isProgram || names.has(name) || found.length >= maxCommands) continue;
    const script = readScriptCommand({ name, file: path, from: "user" }, textOf(path));
    if (script !== null) found.push(script);
  }
}

const anyExecute = 0o111;

/** What a name leads to; `undefined`: nothing. A link in a circle or through a file is a mistake that has a place. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, messageOf(error), error);
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  if (statsOf(folder) === undefined) return [];
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
