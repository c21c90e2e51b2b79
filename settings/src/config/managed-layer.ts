import { readdirSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { messageOf } from "@capstan/protocol";
import { addRead, type ConfigDraft, checkedValue } from "./config-draft.ts";
import { maxPolicyFiles } from "./config-limits.ts";
import { placeOf, type ConfigOrigin } from "./config-origin.ts";
import { distrustOfManaged, readManagedFile } from "./files/read-config-file.ts";
import type { Environment } from "./files/expand-variables.ts";
import { type ConfigDocument, readDocument } from "./files/read-document.ts";
import { configKeys } from "./keys/config-keys.ts";
import { entryLines } from "./entry-lines.ts";
import { parsePath } from "./keys/config-path.ts";
import { nodeAt } from "./keys/key-tree.ts";
import { quoteName, quotePath } from "./quote.ts";
import { readSettings } from "./read-settings.ts";

/** Where whoever runs the machine says what holds for everybody on it. */
export interface ManagedPlace {
  /** With `config.toml` and `policy.d`. */
  readonly directory: string;
  /** User id that must own everything there; 0 but in tests. */
  readonly owner: number;
}

export const usualManagedPlace: ManagedPlace = { directory: "/etc/capstan", owner: 0 };

/** Names a further file, below the one in the managed directory. */
const furtherFileVariable = "CAPSTAN_MANAGED_CONFIG";

/**
 * Adds what holds for everybody on the machine. Its values stand below the user's own, but for those it locks; its rules count
 * like all others, and nothing takes one away. No variables are put in: they are the user's. Safe mode reads it, too.
 * @throws AppError `config.unreadable`, `config.syntax`
 */
export async function addManagedFiles(draft: ConfigDraft, place: ManagedPlace, env: Environment): Promise<void> {
  const further = env[furtherFileVariable] ?? "";
  if (further !== "" && !isAbsolute(further)) {
    draft.warnings.push(`${furtherFileVariable} is ignored: ${quotePath(further)} is no absolute path`);
  } else if (further !== "") {
    // Below the usual one: it may add to that, and take nothing back.
    await addFile(draft, further, place.owner, true);
  }
  if (!isTrustedDirectory(draft, place)) return;
  await addFile(draft, join(place.directory, "config.toml"), place.owner, false);
  addPolicyDirectory(draft, place);
}

function isTrustedDirectory(draft: ConfigDraft, { directory, owner }: ManagedPlace): boolean {
  try {
    const reason = distrustOfManaged(statSync(directory), owner);
    if (reason === undefined) return true;
    draft.warnings.push(ignored(directory, reason));
  } catch (error) {
    if (!isMissing(error)) draft.warnings.push(ignored(directory, messageOf(error)));
  }
  return false;
}

async function addFile(draft: ConfigDraft, file: string, owner: number, expected: boolean): Promise<void> {
  const read = readManagedFile(file, owner);
  if (read.type === "refused") draft.warnings.push(ignored(file, read.reason));
  if (read.type === "absent" && expected) draft.warnings.push(ignored(file, "there is no such file"));
  if (read.type !== "text") return;
  draft.files.push(file);
  addDocument(draft, await readDocument(file, read.text));
}

function addDocument(draft: ConfigDraft, document: ConfigDocument): void {
  const { locked, presets, ...values } = document.values;
  const originOf = (segments: readonly string[]): ConfigOrigin => {
    const line = document.lines.lineOf(segments);
    return { layer: "managed", file: document.file, ...(line === undefined ? {} : { line }) };
  };
  const { settings, misplaced } = readSettings(values, originOf);
  addRead(draft, { settings: [], misplaced });
  if (presets !== undefined) invalid(draft, originOf(["presets"]), "presets: a managed file has none");
  for (const setting of settings) {
    const value = checkedValue(draft, setting, document.lines);
    if (value === undefined) continue;
    const lines = entryLines(setting, value, document.lines);
    draft.stack.add(setting.segments, setting.key, { value, origin: setting.origin, ...lines });
  }
  addLocks(draft, locked, originOf(["locked"]));
}

function addLocks(draft: ConfigDraft, locked: unknown, origin: ConfigOrigin): void {
  if (locked === undefined) return;
  if (!Array.isArray(locked) || !locked.every((entry) => typeof entry === "string")) {
    invalid(draft, origin, 'locked: expected a list of keys or tables such as ["sandbox.mode", "limits"]');
    return;
  }
  for (const entry of locked) {
    const segments = parsePath(entry);
    if (segments === undefined || nodeAt(segments) === undefined) {
      invalid(draft, origin, `locked: ${quoteName(entry)} is no key and no table`);
    } else draft.stack.lock(segments, origin);
  }
}

/** Policy files of the directory, in the order of their names; they are read with those that others name. */
function addPolicyDirectory(draft: ConfigDraft, { directory }: ManagedPlace): void {
  const folder = join(directory, "policy.d");
  const names = listed(folder).filter((name) => /\.(?:toml|ya?ml)$/.test(name) && !name.startsWith("."));
  if (names.length > maxPolicyFiles) {
    invalid(draft, { layer: "managed", file: folder }, `more than ${maxPolicyFiles} policy files`);
    return;
  }
  if (names.length === 0) return;
  const value = names.toSorted().map((name) => join(folder, name));
  const segments = ["permissions", "policy_files"];
  draft.stack.add(segments, configKeys["permissions.policy_files"], {
    value,
    origin: { layer: "managed", file: folder },
  });
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function ignored(file: string, reason: string): string {
  return `MANAGED CONFIGURATION IGNORED: ${quotePath(file)}: ${reason}. What it forbids or locks does not hold.`;
}

function invalid(draft: ConfigDraft, origin: ConfigOrigin, text: string): void {
  draft.problems.push({ code: "config.invalid", text: `${placeOf(origin)}: ${text}` });
}

function isMissing(error: unknown): boolean {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}
