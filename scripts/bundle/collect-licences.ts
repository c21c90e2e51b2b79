import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The licences of the packages whose code is in the bundle, as those licences ask.
 * @param root  the repository
 * @param inputs  bundled files, relative to it
 * @throws when a bundled package has neither a licence text nor one we know by name: then it must not be shipped
 */
export function collectLicences(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((input) => packageFolder(root, input) ?? []));
  const sections = [...folders].toSorted().map((folder) => licenceSection(folder));
  return `Capstan contains code of these packages.\n\n${sections.join("\n")}`;
}

function packageFolder(root: string, input: string): string | undefined {
  if (!input.includes("node_modules/")) return undefined;
  let folder = dirname(join(root, input));
  while (!isPackage(folder)) {
    if (folder === root) throw new Error(`${input} belongs to no package`);
    folder = dirname(folder);
  }
  return folder;
}

/** A package.json without a name only says how files are read; the package lies above it. */
function isPackage(folder: string): boolean {
  const path = join(folder, "package.json");
  return existsSync(path) && readManifest(path).name !== undefined;
}

function licenceSection(folder: string): string {
  const manifest = readManifest(join(folder, "package.json"));
  const title = `${manifest.name} ${manifest.version} (${manifest.license})`;
  return `${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${licenceText(folder, manifest)}\n`;
}

function licenceText(folder: string, { name, version, license, author }: Manifest): string {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e([.-](md|txt|mit))?$/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  if (license !== "MIT" || author === undefined)
    throw new Error(`${name} ${version} is bundled, but has no licence text`);
  return `Copyright (c) ${typeof author === "string" ? author : author.name}\n\n${mitText}`;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: string | { readonly name: string };
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** For packages that name this licence and forgot its text. */
const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
