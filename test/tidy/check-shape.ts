import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

/** Lines; one screen is what a head holds, six are what a file may ask for. */
const maxSourceLines = 400;
const maxTestLines = 600;
/** Files in one folder, above which a topic is missing. */
const maxFilesPerFolder = 20;
/** Folder and file names that name no topic. */
const emptyNames: ReadonlySet<string> = new Set([
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "misc",
  "stuff",
  "manager",
]);

/** Length, name and place of files. */
export function checkShape(files: readonly SourceFile[]): readonly string[] {
  return [...files.flatMap((file) => [...checkLength(file), ...checkName(file)]), ...checkFolders(files)];
}

function checkLength({ path, text }: SourceFile): readonly string[] {
  const lines = text.split("\n").length - 1;
  const limit = /(^|\/)test\//.test(path) ? maxTestLines : maxSourceLines;
  return lines > limit ? [`${path}: ${lines} lines; more than ${limit} hold more than one idea`] : [];
}

function checkName({ path }: SourceFile): readonly string[] {
  const parts = path.replace(/(\.slow)?(\.test|\.config)?\.tsx?$/, "").split("/");
  return parts.flatMap((part) => {
    if (emptyNames.has(part)) return [`${path}: "${part}" names no topic`];
    return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(part) ? [] : [`${path}: "${part}" is not kebab-case`];
  });
}

function checkFolders(files: readonly SourceFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > maxFilesPerFolder)
    .map(([folder, count]) => `${folder}: ${count} files; more than ${maxFilesPerFolder} hide a topic`);
}

/** Tests that mirror no source: `test/a/b.test.ts` belongs to `src/a/b.ts`, or to the topic `src/a/`. */
export function checkMirror(
  folder: string,
  sources: readonly SourceFile[],
  tests: readonly SourceFile[],
): readonly string[] {
  const topics = new Set(sources.map(({ path }) => posix.dirname(path)));
  return tests
    .filter(({ path }) => path.endsWith(".test.ts"))
    .flatMap(({ path }) => {
      const topic = posix.dirname(path.replace(`${folder}/test/`, `${folder}/src/`));
      const isKnown =
        topic === `${folder}/src` || [...topics].some((known) => known === topic || known.startsWith(`${topic}/`));
      return isKnown ? [] : [`${path}: there is no ${topic}/ that it could test`];
    });
}
