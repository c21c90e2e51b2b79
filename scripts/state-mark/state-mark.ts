import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where the fold and the shape of its state begin, and what the records that it folds are read by. */
const roots: readonly string[] = [
  "core/session/src/evolve/evolve.ts",
  "core/session/src/model/state.ts",
  "core/protocol/src/versions/stored-record.ts",
];

/** The text of a file. */
export type ReadSource = (path: string) => string;

/**
 * Names who can read a saved state: the SHA-256 over every source file that the fold or the state's types reach, types included.
 * Whatever changes in one of them, another mark comes out, and a state that was saved under the old one is folded again.
 * @param root  the repository
 */
export function stateMark(root: string, read: ReadSource = (path) => readFileSync(join(root, path), "utf8")): string {
  const hash = createHash("sha256");
  for (const path of filesOfState(read)) hash.update(`${path}\n${normalized(read(path))}\n`);
  return hash.digest("hex").slice(0, markCharacters);
}

/** Enough that two states of the code never share one. */
const markCharacters = 32;

/** Every file that the mark is made of, sorted. */
export function filesOfState(read: ReadSource): readonly string[] {
  const found = new Set<string>();
  const open = [...roots];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...importsOf(path, read));
  }
  return [...found].toSorted();
}

/** The same on every machine. */
function normalized(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The files of ours that a file names in an import or a re-export, of types as well as of values. */
function importsOf(path: string, read: ReadSource): readonly string[] {
  return [...read(path).matchAll(statement)].flatMap(({ groups }) => {
    const { names = "", from = "" } = groups ?? {};
    if (from.startsWith(".")) return [join(dirname(path), from)];
    return from.startsWith("@capstan/") ? definedIn(from.slice("@capstan/".length), namesIn(names), read) : [];
  });
}

/** Where a package's index takes these names from: the rest of the package changes nothing here. */
function definedIn(name: string, wanted: readonly string[], read: ReadSource): readonly string[] {
  const index = `core/${name}/src/index.ts`;
  const exported = [...read(index).matchAll(statement)].map(({ groups }) => ({
    names: new Set(namesIn(groups?.["names"] ?? "")),
    from: join(dirname(index), groups?.["from"] ?? ""),
  }));
  return wanted.map((want) => {
    const place = exported.find(({ names }) => names.has(want));
    if (place === undefined)
      throw new Error(`${index} does not export ${want} from a file: the state's mark cannot be determined`);
    return place.from;
  });
}

function namesIn(list: string): readonly string[] {
  return list
    .split(",")
    .map((name) =>
      name
        .replace(/^\s*type\s/u, "")
        .replace(/\sas\s.*$/su, "")
        .trim(),
    )
    .filter((name) => name !== "");
}

const statement =
  /^(?:import|export)\s+(?:type\s+)?(?:\{(?<names>[^}]*)\}|\*(?:\s+as\s+\w+)?)\s+from\s+"(?<from>[^"]+)"/gmu;
