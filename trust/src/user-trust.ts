import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { projectLevels, loadConfig, dataDirectory, openWorkspace } from "@capstan/settings";
import type { FileDifference } from "./file-difference.ts";
import { type RefusedFile, readTrustFiles, type TrustFile } from "./read-trust-files.ts";
import { rememberTrust } from "./remember-trust.ts";
import { lookAround, standingOf, type TrustStanding } from "./trust-standing.ts";
import { listTrust, removeTrust } from "./trust-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A folder that was trusted, and whether it still is. */
export interface TrustedFolder {
  readonly path: string;
  /** ms since 1970. */
  readonly trustedAt: number;
  /** From the folder. */
  readonly files: readonly string[];
  /** `changed`: it asks again; `replaced`: another folder is there; `gone`: none is. */
  readonly state: "trusted" | "changed" | "replaced" | "gone";
}

/** What the user trusts, by path; `refused`: what the store holds that cannot be used, and why. */
export async function trustedFolders(
  env: Environment,
): Promise<{ readonly folders: readonly TrustedFolder[]; readonly refused: readonly string[] }> {
  const home = dataDirectory(env);
  const { entries, refused } = listTrust(home);
  const instructionFiles = entries.length === 0 ? [] : await instructionNames(env, home);
  const folders = entries.map(({ folder, trustedAt, files }): TrustedFolder => {
    const known = { path: folder.path, trustedAt, files: files.map((file) => file.name) };
    if (!existsSync(folder.path)) return { ...known, state: "gone" };
    const standing = standingOf(home, lookAround({ cwd: folder.path, home, instructionFiles }));
    return { ...known, state: stateNames[standing.type] };
  });
  return { folders, refused };
}

const stateNames: Readonly<Record<TrustStanding["type"], TrustedFolder["state"]>> = {
  trusted: "trusted",
  changed: "changed",
  replaced: "replaced",
  // It was forgotten, or spoilt, while we looked.
  new: "changed",
  refused: "changed",
};

/** What a user has just trusted. */
export interface AddedTrust {
  readonly folder: string;
  readonly files: readonly TrustFile[];
  readonly refused: readonly RefusedFile[];
  /** Since it was trusted before. */
  readonly changed: readonly FileDifference[];
}

/**
 * Trusts the folder around a directory as it is now, for good.
 * @throws AppError `trust.store`, `usage.workspace-missing`, `config.*`, `storage.unavailable`
 */
export async function addTrust(env: Environment, directory: string): Promise<AddedTrust> {
  const home = dataDirectory(env);
  const { cwd } = await openWorkspace(directory, []);
  const situation = lookAround({ cwd, home, instructionFiles: await instructionNames(env, home) });
  const standing = standingOf(home, situation);
  const isKnown = standing.type === "trusted" || standing.type === "changed";
  const read = isKnown ? standing.read : readTrustFiles(situation.folder.identity, situation.places);
  await rememberTrust(home, { situation, read, known: isKnown ? standing.entry : undefined }, Date.now());
  const changed = standing.type === "changed" ? standing.changed : [];
  return { folder: situation.folder.identity.path, ...read, changed };
}

/** Forgets the folder around a directory, which may be gone. @returns the folder; `undefined` when it was not known @throws AppError `trust.store` */
export function revokeTrust(env: Environment, directory: string): string | undefined {
  const home = dataDirectory(env);
  const named = resolve(directory);
  return [projectLevels(named).root, named].find((path) => removeTrust(home, path));
}

/** The user's own names of instruction files; what a project says of them does not count. */
async function instructionNames(env: Environment, home: string): Promise<readonly string[]> {
  const { values } = await loadConfig({ env, home, cwd: home, sets: [], flags: [], safeMode: false });
  return values.context.instruction_files;
}
