import { basename, dirname } from "node:path";
import { isWithin } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import { entriesOf } from "../layout/byte-paths.ts";
import { entryAt } from "../layout/real-path.ts";
import { maxMovedNames } from "../limits.ts";
import type { RunGround } from "../protect/run-note.ts";
import type { Survey } from "../protect/survey.ts";
import { governingState, intruderAt, newNames } from "./new-names.ts";
import type { Quarantine, QuarantinedItem } from "./quarantine.ts";

export interface ClearedNames {
  readonly moved: readonly QuarantinedItem[];
  /** What should have been moved and is still there, in words. */
  readonly problems: readonly string[];
}

interface Ground extends Pick<RunGround, "roots" | "governing"> {
  /** Paths at which nothing was. */
  readonly absent: readonly string[];
  /** Links that were made again. */
  readonly putBack: readonly string[];
  /** Whether the caller reports what is moved. */
  readonly isReported: boolean;
}

/** Moves what now governs agents, editors or git and was not there before to quarantine. */
export function clearNewNames(
  { roots, absent, governing, putBack, isReported }: Ground,
  surveys: readonly Survey[],
  quarantine: Quarantine,
): ClearedNames {
  const made = absent.flatMap((path) => {
    const root = roots.find((each) => isWithin(each, path));
    const place = root === undefined ? undefined : intruderAt(path, root);
    return place === undefined || isGitsOwn(place) ? [] : [place];
  });
  const names = newNames(governing, governingState(surveys), roots).filter((path) => !putBack.includes(path));
  const found = new Set([...made, ...names]);
  const outermost = [...found].filter((path) => ![...found].some((other) => other !== path && isWithin(other, path)));
  const moved: QuarantinedItem[] = [];
  const problems: string[] = [];
  for (const path of outermost.slice(0, maxMovedNames)) {
    try {
      moved.push(quarantine.take(path, isReported));
    } catch (error) {
      // Another session may have been faster.
      if (entryAt(path) !== undefined)
        problems.push(`${quoted(path)} is new, and cannot be moved to quarantine: ${messageOf(error)}`);
    }
  }
  if (outermost.length > maxMovedNames) problems.push(`and ${outermost.length - maxMovedNames} more new names`);
  return { moved, problems };
}

/** Hooks as git copies them from its templates, none of which runs. */
function isGitsOwn(path: string): boolean {
  return (
    basename(path) === "hooks" &&
    basename(dirname(path)) === ".git" &&
    entryAt(path)?.isDirectory() === true &&
    entriesOf(path).every(({ name }) => name.endsWith(".sample"))
  );
}

function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
