import { isWithin } from "@capstan/patterns";
import { realPathOf } from "../layout/real-path.ts";
import { entryOf } from "../protect/shut-folder.ts";
import type { Survey } from "../protect/survey.ts";

/**
 * Links with a protected name that lead to an open folder, or to one around it: what they lead to would have to be closed, so that no
 * command could start any more. None was there when the command started.
 */
export function closingLinks(surveys: readonly Survey[], roots: readonly string[]): readonly string[] {
  return surveys
    .flatMap(({ denied }) => denied)
    .filter((path) => {
      const real = entryOf(path)?.isSymbolicLink() === true ? realPathOf(path) : undefined;
      return real !== undefined && roots.some((root) => isWithin(real, root));
    });
}
