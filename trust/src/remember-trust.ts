import type { ReadFiles } from "./read-trust-files.ts";
import { remembered, type TrustEntry } from "./trust-entry.ts";
import type { TrustSituation } from "./trust-standing.ts";
import { levelNames } from "./trust-folder.ts";
import { writeTrust } from "./trust-store.ts";

/** What a user said yes to. */
export interface Consent {
  readonly situation: TrustSituation;
  /** The files as they were read. */
  readonly read: ReadFiles;
  /** What was trusted of this very folder before; what lies in other directories of it stays trusted. */
  readonly known: TrustEntry | undefined;
}

/**
 * Remembers that a user trusts a folder with these files as they were read. Called where a user said so, and nowhere else:
 * no configuration of any layer can.
 * @param now  ms since 1970
 * @throws AppError `trust.store`, `storage.unavailable`
 */
export async function rememberTrust(home: string, { situation, read, known }: Consent, now: number): Promise<void> {
  const young = remembered(read.files);
  const names = new Set(young.map((file) => file.name));
  const others = known?.files.filter((file) => !names.has(file.name)) ?? [];
  const levels = [...new Set([...levelNames(situation.folder), ...(known?.levels ?? [])])];
  await writeTrust(home, { folder: situation.folder.identity, trustedAt: now, files: [...young, ...others], levels });
}
