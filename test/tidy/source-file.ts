import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the repository: path from its root with `/`, and content. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** All TypeScript files below a folder of the repository; none where there is no such folder. */
export function sourceFiles(root: string, folder: string): readonly SourceFile[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .toSorted()
    .map((file) => ({ path: `${folder}/${file}`, text: readFileSync(join(root, folder, file), "utf8") }));
}

/** The code with comments blanked out and strings emptied, line numbers kept: what identifiers are looked for in. */
export function bareCode(text: string): string {
  return text.replaceAll(stringsAndComments, (found: string) => {
    if (found.startsWith("/")) return found.replaceAll(/[^\n]/g, " ");
    return found.startsWith("`") ? keepSubstitutions(found) : `${found[0] ?? ""}${found.at(-1) ?? ""}`;
  });
}

const stringsAndComments =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|\$\{(?:[^{}`]|\{[^{}`]*\})*\}|[^`\\])*`|\/\/.*|\/\*[^]*?\*\//g;

/** Of a template, the code in `${…}` and the line ends. */
function keepSubstitutions(template: string): string {
  return `\`${(template.match(/\$\{(?:[^{}`]|\{[^{}`]*\})*\}|\n/g) ?? []).join("")}\``;
}
