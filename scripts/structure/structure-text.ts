import { posix } from "node:path";
import { type Arrow, arrowsBetween, importsOf } from "../../test/tidy/import-graph.ts";
import type { Layer } from "../../test/tidy/layers.ts";
import type { SourceFile } from "../../test/tidy/source-file.ts";

export interface PackageSources {
  /** From the repository's root. */
  readonly folder: string;
  readonly layer: Layer;
  readonly files: readonly SourceFile[];
}

/** Files named in each list of the widest. */
const maxNamed = 10;

/** What the imports say of the packages: sizes, widest files, folder arrows. */
export function structureText(packages: readonly PackageSources[]): string {
  const arrows = packages.flatMap(({ files }) => arrowsBetween(files));
  return [
    "Packages (files, lines, and packages imported)",
    ...packages.map((one) => `  ${sizeLine(one, packages)}`),
    "",
    "Files that import most others of their package (but for the index)",
    ...widest(arrows.map(({ from }) => from).filter((path) => !path.endsWith("/src/index.ts"))),
    "",
    "Files that most others of their package import",
    ...widest(arrows.map(({ to }) => to)),
    "",
    "Arrows between folders (imports)",
    ...packages.flatMap(({ folder, files }) => folderArrows(folder, arrowsBetween(files))),
    "",
  ].join("\n");
}

function sizeLine({ folder, layer, files }: PackageSources, packages: readonly PackageSources[]): string {
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  const limit = layer.maxLines === undefined ? "" : ` of ${layer.maxLines}`;
  const specifiers = new Set(files.flatMap(({ text }) => importsOf(text).map(({ specifier }) => specifier)));
  const imported = packages.filter(({ layer: other }) => specifiers.has(other.name)).map((other) => other.folder);
  const uses = imported.length === 0 ? "" : ` → ${imported.join(", ")}`;
  return `${folder}: ${files.length} files, ${lines}${limit} lines${uses}`;
}

function linesOf({ text }: SourceFile): number {
  return text.split("\n").length - 1;
}

function widest(paths: readonly string[]): readonly string[] {
  return counted(paths)
    .slice(0, maxNamed)
    .map(([path, count]) => `  ${count}  ${path}`);
}

/** The most frequent first; equals by name. */
function counted(names: readonly string[]): readonly (readonly [name: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([left, more], [right, less]) => less - more || (left < right ? -1 : 1));
}

function folderArrows(folder: string, arrows: readonly Arrow[]): readonly string[] {
  const between = arrows.flatMap(({ from, to }) => {
    const [source, target] = [folderOf(from, folder), folderOf(to, folder)];
    return source === target || from === `${folder}/src/index.ts` ? [] : [`${source} → ${target}`];
  });
  const lines = counted(between).map(([arrow, count]) => `    ${arrow} (${count})`);
  return lines.length === 0 ? [] : [`  ${folder}`, ...lines];
}

/** The folder directly below `src`; `.` for the files beside the folders. */
function folderOf(path: string, folder: string): string {
  return posix.relative(`${folder}/src`, path).split("/").slice(0, -1)[0] ?? ".";
}
