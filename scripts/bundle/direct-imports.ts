import { existsSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Plugin } from "esbuild";
import { readLayers } from "../../test/tidy/layers.ts";

/** Where a name of a package is made: the file, and what it is called there. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

/** Where a program starts. */
interface Start extends Origin {
  /** Files that it loads lazily and every run needs, whichever of them it asks for: they come with it. */
  readonly along?: readonly string[];
}

/**
 * Imports of our packages by name become imports of the very files that make what is imported. A package has one entry, which
 * leads to all of it; a bundle is cut into chunks by which files lead to which, so without this whatever one command needs of a
 * package would be loaded by all.
 *
 * Each file that is loaded lazily is also made to lead to where the program starts, which is running by then: what a start needs
 * has then one and the same set of files that lead to it, and is one chunk. Else it would be a chunk for each set of lazy files
 * that share something with it, and on Node 20 each module costs some 1.5 ms to find and load.
 * @param start  the file that starts the program, and a value it exports; without one, nothing is cut into chunks
 */
export function directImports(root: string, start?: Start): Plugin {
  const indexOf = new Map(
    Object.entries(readLayers(root)).map(([folder, { name }]) => [name, join(root, folder, "src", "index.ts")]),
  );
  const entries = new Entries(indexOf);
  const along = (path: string): string =>
    path === start?.file ? (start.along ?? []).map((file) => `\nimport ${JSON.stringify(file)};`).join("") : "";
  return {
    name: "direct-imports",
    setup(build) {
      build.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) =>
        isOurs(path)
          ? { contents: withDirectImports(readFileSync(path, "utf8"), entries) + along(path), loader: "ts" }
          : undefined,
      );
      if (start === undefined) return;
      const leadToStart = `\nexport { ${start.name} as startOfTheProgram } from ${JSON.stringify(start.file)};\n`;
      build.onResolve({ filter: /^[.@]/ }, async ({ path, kind, pluginData, ...where }) => {
        if (kind !== "dynamic-import" || pluginData !== undefined) return undefined;
        const found = await build.resolve(path, { ...where, kind, pluginData: "asked" });
        return found.errors.length > 0 || found.external || !isOurs(found.path) ? found : { ...found, namespace: lazy };
      });
      // A module of its own: the file itself may also be imported where it is needed at once.
      build.onLoad({ filter: /\.ts$/, namespace: lazy }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(path)};${leadToStart}`,
        resolveDir: dirname(path),
        loader: "ts",
      }));
    },
  };
}

/** Where what is loaded lazily is found. */
const lazy = "lazy";

function isOurs(path: string): boolean {
  return path.endsWith(".ts") && !path.includes(`${sep}node_modules${sep}`);
}

const statement = /^(import|export) \{([^}]*)\} from "(@capstan\/[a-z-]+|\.[^"]*)";$/gm;

function withDirectImports(text: string, entries: Entries): string {
  return text.replace(statement, (whole, keyword: string, names: string, from: string) => {
    if (!from.startsWith("@capstan/")) return whole;
    return valuesIn(names)
      .map(({ name, as }) => {
        const origin = entries.origin(from, name);
        const named = origin.name === as ? as : `${origin.name} as ${as}`;
        return `${keyword} { ${named} } from ${JSON.stringify(origin.file)};`;
      })
      .join(" ");
  });
}

/** What the entries of our packages export, each read once. */
class Entries {
  readonly #indexOf: ReadonlyMap<string, string>;
  readonly #read = new Map<string, ReadonlyMap<string, Origin>>();

  constructor(indexOf: ReadonlyMap<string, string>) {
    this.#indexOf = indexOf;
  }

  /** @throws Error when the package exports no such value */
  origin(from: string, name: string): Origin {
    const known = this.#read.get(from) ?? this.#readEntry(from);
    this.#read.set(from, known);
    const origin = known.get(name);
    if (origin === undefined) throw new Error(`${from} exports no ${name} that a bundle could find`);
    return origin;
  }

  #readEntry(from: string): ReadonlyMap<string, Origin> {
    const index = this.#indexOf.get(from);
    if (index === undefined || !existsSync(index)) throw new Error(`there is no entry of ${from}`);
    const origins = new Map<string, Origin>();
    for (const [, , names = "", target = ""] of readFileSync(index, "utf8").matchAll(statement)) {
      for (const { name, as } of valuesIn(names)) {
        const file = join(dirname(index), target);
        origins.set(as, target.startsWith(".") ? { file, name } : this.origin(target, name));
      }
    }
    return origins;
  }
}

/** The names in braces, without those of types. */
function valuesIn(names: string): readonly { readonly name: string; readonly as: string }[] {
  return names
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("type "))
    .map((part) => {
      const [name = part, as = name] = part.split(/\s+as\s+/);
      return { name, as };
    });
}
