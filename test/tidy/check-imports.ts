import { posix } from "node:path";
import { importsOf } from "./import-graph.ts";
import type { Layer, Layers } from "./layers.ts";
import type { SourceFile } from "./source-file.ts";

/** Every import that `layers.json` does not allow, with the reason. */
export function checkImports(folder: string, layer: Layer, files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(text).flatMap(({ specifier, line }) => {
      const reason = refuse(specifier, path, folder, layer);
      return reason === undefined ? [] : [`${path}:${line}: "${specifier}": ${reason}`];
    }),
  );
}

function refuse(specifier: string, path: string, folder: string, layer: Layer): string | undefined {
  if (specifier.startsWith("node:")) return layer.node ? undefined : "this layer is platform-neutral: take a port";
  if (specifier.startsWith(".")) return refuseRelative(specifier, path, folder);
  const [scope = "", base = ""] = specifier.split("/");
  const name = scope.startsWith("@") ? `${scope}/${base}` : scope;
  if (scope !== "@capstan")
    return layer.npm.includes(name) ? undefined : "this npm package is not listed for the layer";
  if (name !== specifier) return "a deep import: use what the package's index exports";
  if (name === layer.name) return "a package's own index: import the file that has it";
  return layer.may.includes(name) ? undefined : "this layer may not know that package";
}

function refuseRelative(specifier: string, path: string, folder: string): string | undefined {
  if (!/\.(?:ts|json)$/.test(specifier)) return 'relative imports end in ".ts" or ".json"';
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(`${folder}/src/`)) return "leaves the package: import it by name";
  return target === `${folder}/src/index.ts` ? "a package's own index: import the file that has it" : undefined;
}

/** Packages that reach themselves through what they may import. */
export function checkAcyclic(layers: Layers): readonly string[] {
  const byName = new Map(Object.values(layers).map((layer) => [layer.name, layer]));
  const reaches = (from: string, goal: string, seen: Set<string>): boolean =>
    (byName.get(from)?.may ?? []).some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, goal, seen);
    });
  return [...byName.keys()]
    .filter((name) => reaches(name, name, new Set()))
    .map((name) => `${name} may import itself through others`);
}
