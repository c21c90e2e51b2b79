import { basename, dirname } from "node:path";
import { isWithin } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import { entriesOf } from "@capstan/byte-paths";
import { entryAt } from "../layout/real-path.ts";
import { maxMovedNames } from "../limits.ts";
import { readGitSettings, runsPrograms } from "../protect/git-configuration.ts";
import type { RunGround } from "../protect/run-note.ts";
import type { Survey } from "../protect/survey.ts";
import { closingLinks } from "./closing-links.ts";
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

/** Moves what now governs agents, editors or git and was not there before to quarantine, and links that would keep commands from starting. */
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
  const found = new Set([...made, ...names, ...closingLinks(surveys, roots)]);
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

/**
 * What git itself writes into a repository that was being made as the command started, perhaps by another session: settings that run
 * nothing, and hooks as it copies them from its templates.
 */
function isGitsOwn(path: string): boolean {
  if (basename(dirname(path)) !== ".git") return false;
  const entry = entryAt(path);
  if (basename(path) === "config" && entry?.isFile() === true) {
    const settings = readGitSettings(path);
    return settings.length > 0 && !settings.some(runsPrograms);
  }
  return (
    basename(path) === "hooks" &&
    entry?.isDirectory() === true &&
    entriesOf(path).every(({ name }) => name.endsWith(".sample"))
  );
}

function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
