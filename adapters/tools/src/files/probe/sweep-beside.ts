import { withPinnedParent } from "../../paths/pinned-file.ts";
import type { ResolvedPath } from "../../paths/workspace-paths.ts";
import { sweepLeftovers } from "../commit/sweep-leftovers.ts";

/**
 * Removes what a killed commit left beside the files it was to change. Never fails: a leftover is only untidy.
 * @param replaced  SHA-256 of contents that were proved to be replaced as intended
 */
export async function sweepBeside(
  places: readonly (ResolvedPath | undefined)[],
  replaced: ReadonlySet<string>,
): Promise<void> {
  const byDirectory = new Map<string, ResolvedPath>();
  for (const place of places) {
    if (place !== undefined) byDirectory.set(place.real.slice(0, place.real.lastIndexOf("/")), place);
  }
  for (const place of byDirectory.values()) {
    try {
      await withPinnedParent(place, async (parent) => await sweepLeftovers(parent, replaced));
    } catch {
      // The directory was never made, or is no longer there.
    }
  }
}
