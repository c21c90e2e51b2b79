import { arrowsBetween, cyclesIn } from "./import-graph.ts";
import type { Layer } from "./layers.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * Imports between the folders of a package that point upwards, and folders without a place in its order. The package's index may
 * import everything, and everything may import its limits.
 */
export function checkFolders(folder: string, { folders }: Layer, files: readonly SourceFile[]): readonly string[] {
  if (folders === undefined) return [];
  const placeOf = (path: string): string => partOf(path.slice(`${folder}/src/`.length), folders);
  const homeless = files.flatMap(({ path }) =>
    isExempt(path, folder) || folders.includes(placeOf(path))
      ? []
      : [`${path}:1: "${placeOf(path)}" has no place in the package's order of folders: ${folders.join(", ")}`],
  );
  const upwards = arrowsBetween(files).flatMap(({ from, to, line }) => {
    if (isExempt(from, folder) || isExempt(to, folder)) return [];
    const [lower, upper] = [placeOf(from), placeOf(to)];
    return folders.indexOf(upper) > folders.indexOf(lower)
      ? [`${from}:${line}: "${lower}" may not import "${upper}", which stands above it`]
      : [];
  });
  return [...homeless, ...upwards];
}

/** A folder, a file beside the folders that has a place of its own, or `.` for all others of these. */
function partOf(path: string, folders: readonly string[]): string {
  const [first = "", ...rest] = path.split("/");
  return rest.length > 0 || folders.includes(first) ? first : ".";
}

function isExempt(path: string, folder: string): boolean {
  return path === `${folder}/src/index.ts` || path === `${folder}/src/limits.ts`;
}

/** Files that import one another, types included: neither can be understood, tested or moved without the other. */
export function checkCycles(files: readonly SourceFile[]): readonly string[] {
  const arrows = arrowsBetween(files);
  return cyclesIn(arrows).map(([from = "", to = "", ...rest]) => {
    const line = arrows.find((arrow) => arrow.from === from && arrow.to === to)?.line ?? 1;
    return `${from}:${line}: imports itself through ${[to, ...rest.slice(0, -1)].join(", ")}`;
  });
}

/** A package that has outgrown what `layers.json` grants it. */
export function checkSize(folder: string, { maxLines }: Layer, files: readonly SourceFile[]): readonly string[] {
  const lines = files.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
  return maxLines === undefined || lines <= maxLines
    ? []
    : [`${folder}/src: ${lines} lines; more than the ${maxLines} of layers.json`];
}
