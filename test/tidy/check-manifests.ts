import { posix } from "node:path";
import type { Layers } from "./layers.ts";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface TypeScriptProject {
  readonly references?: readonly { readonly path: string }[];
}

export interface PackageFiles {
  readonly manifest: Manifest;
  readonly project: TypeScriptProject;
}

/** Where `layers.json`, a package.json and a tsconfig.json disagree: three places say the same, and must. */
export function checkManifests(
  layers: Layers,
  packages: Readonly<Record<string, PackageFiles>>,
  version: string,
): readonly string[] {
  const folderOf = new Map(Object.entries(layers).map(([folder, { name }]) => [name, folder]));
  return Object.entries(layers).flatMap(([folder, layer]) => {
    const files = packages[folder];
    if (files === undefined) return [`${folder}: in layers.json, but there is no such package`];
    const { manifest, project } = files;
    const references = (project.references ?? []).map(({ path }) => posix.join(folder, path));
    const dependencies = Object.entries(manifest.dependencies ?? {});
    return [
      ...differences(`${folder}/package.json: name`, [manifest.name], [layer.name]),
      ...differences(`${folder}/package.json: version`, [manifest.version], [version]),
      ...differences(`${folder}/package.json: dependencies`, Object.keys(manifest.dependencies ?? {}), [
        ...layer.may,
        ...layer.npm,
      ]),
      ...differences(
        `${folder}/tsconfig.json: references`,
        references,
        layer.may.map((name) => folderOf.get(name) ?? name),
      ),
      ...dependencies
        .filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))
        .map(([name, range]) => `${folder}/package.json: ${name} "${range}" is not an exact version`),
    ];
  });
}

function differences(place: string, found: readonly string[], wanted: readonly string[]): readonly string[] {
  return [
    ...wanted.filter((name) => !found.includes(name)).map((name) => `${place} lacks ${name}, which layers.json has`),
    ...found.filter((name) => !wanted.includes(name)).map((name) => `${place} has ${name}, which layers.json has not`),
  ];
}
