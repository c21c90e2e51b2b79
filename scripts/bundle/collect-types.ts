import { readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { readLayers } from "../../test/tidy/layers.ts";

const statement = /^((?:import|export)(?: type)?) \{([^}]*)\} from "([^"]+)";$/gm;

/** One declaration file of the package. */
export interface TypeFile {
  /** From the package's folder of types, with `/`. */
  readonly path: string;
  readonly text: string;
}

/**
 * The declarations that a package's entry leads to, one file for each of ours, without the names of our packages: each name is imported from the
 * file that declares it.
 * @param entry  the folder of the package, from the repository's root, as `layers.json` has it
 * @throws Error for a declaration that is missing (`tsc -b` makes them), or that needs a package from outside
 */
export function collectTypes(root: string, entry: string): readonly TypeFile[] {
  const packages = new Map(Object.entries(readLayers(root)).map(([folder, { name }]) => [name, folder]));
  const collected = new Map<string, TypeFile>();
  const wanted = new Set([posix.join(entry, "index.d.ts")]);
  const reader = new Declarations(root, packages);
  for (const path of wanted) {
    const text = reader.text(path).replace(statement, (_, keyword: string, names: string, from: string) =>
      namesIn(names)
        .map((name) => {
          const origin = reader.origin(path, from, name);
          wanted.add(origin.path);
          const named = origin.name === name.as ? name.as : `${origin.name} as ${name.as}`;
          const typed = name.isType && !keyword.endsWith(" type") ? `${keyword} type` : keyword;
          return `${typed} { ${named} } from "${specifier(path, origin.path)}";`;
        })
        .join("\n"),
    );
    const left = / from "(?!\.)[^"]*"|\bimport\("/.exec(text);
    if (left !== null) throw new Error(`${path}: ${left[0]} cannot be published`);
    collected.set(path, { path, text: text.replace(/^\/\/# sourceMappingURL=.*$/m, "") });
  }
  return [...collected.values()];
}

interface Name {
  readonly name: string;
  readonly as: string;
  readonly isType: boolean;
}

/** Reads declarations by paths like `core/protocol/record.d.ts`, which lie in the package's `dist`. */
class Declarations {
  readonly #root: string;
  readonly #packages: ReadonlyMap<string, string>;
  readonly #folders: readonly string[];

  constructor(root: string, packages: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#packages = packages;
    this.#folders = [...packages.values()];
  }

  text(path: string): string {
    const folder = this.#folders.find((known) => path.startsWith(`${known}/`));
    if (folder === undefined) throw new Error(`${path} belongs to no package`);
    return readFileSync(join(this.#root, folder, "dist", path.slice(folder.length + 1)), "utf8");
  }

  /** The file that declares a name, through the entries that pass it on. */
  origin(path: string, from: string, { name, as }: Name): { readonly path: string; readonly name: string } {
    const folder = this.#packages.get(from);
    if (folder === undefined) {
      if (!from.startsWith(".")) throw new Error(`${path} needs ${from}, which cannot be published`);
      return { path: posix.join(posix.dirname(path), from.replace(/\.[jt]s$/, ".d.ts")), name };
    }
    const index = posix.join(folder, "index.d.ts");
    for (const [, , names = "", target = ""] of this.text(index).matchAll(statement)) {
      const found = namesIn(names).find((exported) => exported.as === name);
      if (found !== undefined) return this.origin(index, target, found);
    }
    throw new Error(`${from} exports no ${name}, which ${path} has as ${as}`);
  }
}

function namesIn(names: string): readonly Name[] {
  return names
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const bare = part.replace(/^type\s+/, "");
      const [name = bare, as = name] = bare.split(/\s+as\s+/);
      return { name, as, isType: bare !== part };
    });
}

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
    .split(sep)
    .join("/")
    .replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}
