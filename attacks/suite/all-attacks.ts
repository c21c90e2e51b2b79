import type { Attack } from "./attack.ts";
import { pathSpellings } from "../groups/paths/path-spellings.ts";
import { borrowedTrust } from "../groups/trust/borrowed-trust.ts";
import { foreignSettings } from "../groups/trust/foreign-settings.ts";
import { pathWrites, protectedFiles } from "../groups/paths/path-writes.ts";

/** Every attack, in the order of the catalogue. */
export async function allAttacks(): Promise<readonly Attack[]> {
  return [...foreignSettings(), ...borrowedTrust(), ...pathSpellings(), ...pathWrites(), ...protectedFiles()];
}
