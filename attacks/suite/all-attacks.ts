import { commandLines } from "../groups/commands/command-lines.ts";
import { pathSpellings } from "../groups/paths/path-spellings.ts";
import { pathWrites, protectedFiles } from "../groups/paths/path-writes.ts";
import { borrowedTrust } from "../groups/trust/borrowed-trust.ts";
import { foreignSettings } from "../groups/trust/foreign-settings.ts";
import type { Attack } from "./attack.ts";

/** Every attack, in the order of the catalogue. */
export async function allAttacks(): Promise<readonly Attack[]> {
  return [
    ...foreignSettings(),
    ...borrowedTrust(),
    ...commandLines(),
    ...pathSpellings(),
    ...pathWrites(),
    ...protectedFiles(),
  ];
}
