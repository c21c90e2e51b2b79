import type { TrustScene } from "./decide-trust.ts";
import type { ReadFiles } from "./read-trust-files.ts";
import { remembered, type TrustEntry } from "./trust-entry.ts";
import { writeTrust } from "./trust-store.ts";

/**
 * Remembers that a person trusts a folder with these files as they were read. Called where a person said so, and nowhere else:
 * no configuration of any layer can.
 * @param known  what was trusted of this very folder before; what lies in other directories of it stays trusted
 * @throws AppError `trust.store`, `storage.unavailable`
 */
export async function rememberTrust(
  home: string,
  { folder }: TrustScene,
  { files }: ReadFiles,
  known: TrustEntry | undefined,
  now: number,
): Promise<void> {
  const young = remembered(files);
  const names = new Set(young.map((file) => file.name));
  const others = known?.files.filter((file) => !names.has(file.name)) ?? [];
  await writeTrust(home, { folder: folder.identity, trustedAt: now, files: [...young, ...others] });
}
