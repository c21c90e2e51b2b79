import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { AppError, messageOf } from "@capstan/protocol";
import { quotePath } from "./config/quote.ts";

/** Where everything of a user's lies. Absolute paths; the directories are the owner's alone. */
export interface DataDirectory {
  readonly root: string;
  readonly database: string;
  /** The SQLite file of what is remembered beyond sessions; made with the first fact. */
  readonly facts: string;
  readonly configFile: string;
  /** Command output too long for the model. */
  readonly spill: string;
  /** Copies of the database, made before it is changed to a newer version. */
  readonly backups: string;
  /** What files were before calls changed them. */
  readonly checkpoints: string;
  /** How commands that run now, or ran last, came out. */
  readonly runs: string;
}

/** `CAPSTAN_HOME`, else `~/.capstan`. Nothing is created. */
export function dataDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  const chosen = environment["CAPSTAN_HOME"];
  if (chosen !== undefined && chosen !== "") return resolve(chosen);
  return join(homeDirectory(environment), ".capstan");
}

/** The user's home directory, always an absolute path: an empty or relative HOME would put what is private into the workspace. */
export function homeDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  for (const candidate of [() => environment["HOME"] ?? "", homedir, () => userInfo().homedir]) {
    const home = directoryOf(candidate);
    if (isAbsolute(home)) return home;
  }
  // What the system gives to a user that its list does not have, as in a container that runs under any number.
  return "/";
}

/** A user that the system's list does not have is an error of the system there. */
function directoryOf(candidate: () => string): string {
  try {
    return candidate();
  } catch {
    return "";
  }
}

/**
 * Creates what is missing of the data directory, for its owner alone. Directories that few sessions use come into being
 * with their first file.
 * @throws AppError `storage.unavailable`
 */
export async function prepareDataDirectory(path: string): Promise<DataDirectory> {
  const root = resolve(path);
  const directory: DataDirectory = {
    root,
    database: join(root, "capstan.db"),
    facts: join(root, "facts.db"),
    configFile: join(root, "config.toml"),
    spill: join(root, "spill"),
    backups: join(root, "backups"),
    checkpoints: join(root, "checkpoints"),
    runs: join(root, "runs"),
  };
  for (const needed of [root, directory.spill, directory.backups]) createOwned(needed);
  return directory;
}

function createOwned(path: string): void {
  try {
    makeFolders(path);
    const entry = statSync(path);
    const { mode, gid } = entry;
    if (!entry.isDirectory()) throw unavailable(path, "not a directory");
    // Whoever may write here could put a configuration, a grant or a session in place.
    const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getegid?.());
    if (process.platform !== "win32" && isOpen) throw openToOthers(path, mode);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unavailable(path, messageOf(error), error);
  }
}

/** Level by level: on Node 20 the recursive form never returns where the file system refuses new names (`/proc`). */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process made it in the meantime.
    if (!existsSync(path)) throw error;
  }
}

function openToOthers(path: string, mode: number): AppError {
  const shown = (mode & 0o7777).toString(8).padStart(4, "0");
  const text = `the data directory ${quotePath(path)} can be changed by other users (mode ${shown})`;
  return new AppError("storage.unavailable", text, {
    hint: `Take that right away: chmod 700 ${quotePath(path)}; or set CAPSTAN_HOME to a directory of your own.`,
  });
}

function unavailable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError("storage.unavailable", `the data directory ${quotePath(path)} cannot be used: ${reason}`, {
    cause,
    hint: "Make it writable, or set CAPSTAN_HOME to a directory that is.",
  });
}
