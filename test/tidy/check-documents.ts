import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

/**
 * Every path that a document names and that is not there: files and folders in backticks, and targets of links.
 * @param paths  every file and folder of the repository, from its root
 */
export function checkDocuments(documents: readonly SourceFile[], paths: ReadonlySet<string>): readonly string[] {
  const roots = new Set([...paths].map((path) => path.split("/")[0] ?? ""));
  return documents.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const quoted = [...line.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
      const linked = [...line.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
      const missing = [
        ...quoted.filter((name) => !isThere(name, paths, roots)),
        ...linked.filter((target) => !/^[a-z]+:/.test(target) && !paths.has(posix.join(posix.dirname(path), target))),
      ];
      return missing.map((name) => `${path}:${index + 1}: "${name}": there is no such file or folder`);
    }),
  );
}

/** Made by a build, or a place on the user's machine. */
const elsewhere = /^(?:bin|dist|\.capstan|\.git|node_modules|plans)\//;

/** A name that is no path of ours is nobody's business. A path from the root must be there; others are ends of paths. */
function isThere(name: string, paths: ReadonlySet<string>, roots: ReadonlySet<string>): boolean {
  if (!/^[\w.@-]+(?:\/[\w.@<>*…-]*)*$/.test(name) || elsewhere.test(name)) return true;
  // What stands for any name ends the path that can be looked for.
  const plain = name.replace(/(?:^|\/)[^/]*[<*…].*$/, "").replace(/\/$/, "");
  if (plain === "") return true;
  if (name.includes("/") && roots.has(plain.split("/")[0] ?? "")) return paths.has(plain);
  if (/\.tsx?$/.test(plain) || name.endsWith("/")) {
    return paths.has(plain) || [...paths].some((path) => path.endsWith(`/${plain}`));
  }
  return true;
}

/** Characters of a line. */
const maxLine = 120;
/** Words before the table of commands. */
const maxWordsBeforeCommands = 700;

/** What makes a README too long to be read: wide lines, and many words before the table of commands. */
export function checkReadme(text: string): readonly string[] {
  const wide = text.split("\n").flatMap((line, index) => {
    return line.length > maxLine ? [`README.md:${index + 1}: ${line.length} characters, of at most ${maxLine}`] : [];
  });
  const [before = "", after] = text.split("\n## Commands\n");
  const words = before.split(/\s+/).length;
  return [
    ...wide,
    ...(after === undefined ? ["README.md: it has no section Commands"] : []),
    ...(words > maxWordsBeforeCommands
      ? [`README.md: ${words} words before the commands, of at most ${maxWordsBeforeCommands}`]
      : []),
  ];
}
