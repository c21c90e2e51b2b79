import { behaviourNames } from "@capstan/protocol";

/**
 * Whether a path tells agents, git or editors what to do or run: what is written there speaks with more authority than the
 * model has, so no mode and no wide rule lets it be changed unasked.
 */
export function changesBehaviour(path: string): boolean {
  return path.split("/").some((part) => bareNames.has(bareName(part)));
}

/** Whether a rule's pattern spells such a name out. */
export function namesBehaviour(pattern: string | undefined): boolean {
  return pattern !== undefined && changesBehaviour(pattern);
}

const bareNames: ReadonlySet<string> = new Set(behaviourNames.map(bareName));

/** As file systems that fold case and drop trailing dots and spaces would read it. */
function bareName(part: string): string {
  return part
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}
