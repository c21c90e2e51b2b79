import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import { isJsonObject, messageOf } from "@capstan/protocol";
import { isApproved } from "@capstan/trust";
import { maxDepth, maxFilesOfPlugin, maxPluginBytes, maxPlugins } from "../limits.ts";
import {
  type FoundPlugin,
  type LeftPlugin,
  type PluginFile,
  type PluginOrigin,
  readPluginFile,
  requireOwn,
} from "./plugin-file.ts";
import { inWorkspace, type PluginPlaces } from "./plugin-places.ts";

export interface FoundPlugins {
  /** Those that count most first. */
  readonly plugins: readonly FoundPlugin[];
  readonly left: readonly LeftPlugin[];
}

/** A place that may hold a plugin: one file, or a folder with all that is in it. */
interface Place {
  readonly id: string;
  readonly from: PluginOrigin;
  readonly folder: string;
  readonly entry: string;
  readonly isAlone: boolean;
}

const pluginFileName = /^(.+)\.plugin\.(?:[cm]?[jt]s|ya?ml|json|toml)$/;

/** The user's plugins, then those of configured folders, then those of a trusted workspace. Nothing of them runs. */
export async function findPlugins({ home, directories, trust }: PluginPlaces): Promise<FoundPlugins> {
  const plugins: FoundPlugin[] = [];
  const left: LeftPlugin[] = [];
  const places = [
    ...(await placesIn(join(home, "plugins"), "user", left)),
    ...(await Promise.all(directories.map(async (folder) => await placesIn(folder, "configured", left)))).flat(),
    ...(trust.trusted ? placesOf([...trust.approved.keys()]) : []),
  ];
  for (const place of places.slice(0, maxPlugins)) {
    try {
      plugins.push(await readPlugin(place, trust));
    } catch (error) {
      left.push({ id: place.id, file: join(place.folder, place.entry), problem: messageOf(error) });
    }
  }
  for (const { id, folder, entry } of places.slice(maxPlugins))
    left.push({ id, file: join(folder, entry), problem: `there may be ${maxPlugins} plugins` });
  return { plugins, left };
}

async function placesIn(folder: string, from: PluginOrigin, left: LeftPlugin[]): Promise<readonly Place[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (from === "configured") {
    const own = await packagePlace(folder, from);
    if (own !== undefined) return [own];
    if (names.length === 0)
      left.push({ id: basename(folder), file: folder, problem: "plugins.directories names it, and it has no plugin" });
  }
  const places: Place[] = [];
  for (const name of names.toSorted()) {
    const [, id] = pluginFileName.exec(name) ?? [];
    if (id !== undefined) places.push({ id, from, folder, entry: name, isAlone: true });
    else if (!name.startsWith(".")) places.push(...(await placesOfFolder(join(folder, name), from)));
  }
  return places;
}

/** A folder is a package that names its plugin, or has files that are called plugins. */
async function placesOfFolder(folder: string, from: PluginOrigin): Promise<readonly Place[]> {
  const own = await packagePlace(folder, from);
  if (own !== undefined) return [own];
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names.toSorted().flatMap((entry): readonly Place[] => {
    const [, id] = pluginFileName.exec(entry) ?? [];
    return id === undefined ? [] : [{ id, from, folder, entry, isAlone: false }];
  });
}

/** `"capstan": { "plugin": "./dist/plugin.js" }` in the `package.json` of an npm package. */
async function packagePlace(folder: string, from: PluginOrigin): Promise<Place | undefined> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const entry = isJsonObject(manifest) && isJsonObject(manifest["capstan"]) ? manifest["capstan"]["plugin"] : null;
    if (typeof entry !== "string") return undefined;
    const path = posix.normalize(entry);
    return path.startsWith("..") || path.startsWith("/")
      ? undefined
      : { id: basename(folder), from, folder, entry: path, isAlone: false };
  } catch {
    return undefined;
  }
}

/** What a trusted workspace brings along: the same places, found among the names that trust is about. */
function placesOf(approved: readonly string[]): readonly Place[] {
  return approved.toSorted().flatMap((path): readonly Place[] => {
    const [, plugins, rest] = inWorkspace.exec(path) ?? [];
    const [, id] = pluginFileName.exec(basename(path)) ?? [];
    if (plugins === undefined || rest === undefined || id === undefined) return [];
    const folder = dirname(path);
    return [{ id, from: "workspace", folder, entry: basename(path), isAlone: folder === plugins }];
  });
}

async function readPlugin(
  { id, from, folder, entry, isAlone }: Place,
  trust: PluginPlaces["trust"],
): Promise<FoundPlugin> {
  const isOwn = from !== "workspace";
  if (isOwn) requireOwn(folder, await stat(folder));
  const paths = isAlone ? [entry] : await filesBelow(folder, folder, 0);
  if (paths.length > maxFilesOfPlugin) throw new Error(`it has more than ${maxFilesOfPlugin} files`);
  const files: PluginFile[] = [];
  let room = maxPluginBytes;
  for (const path of paths.toSorted()) {
    const file = await readPluginFile(join(folder, path), path, { isOwn, limitBytes: room });
    if (!isOwn && !isApproved(trust, join(folder, path), file.sha256))
      throw new Error(`${join(folder, path)} is not as you trusted it: capstan trust add`);
    room -= file.bytes.length;
    files.push(file);
  }
  if (!files.some(({ path }) => path === entry)) throw new Error(`it has no file ${entry}`);
  return { id, from, folder, entry, files };
}

async function filesBelow(root: string, folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => name !== ".git")
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return depth < maxDepth ? await filesBelow(root, path, depth + 1) : [];
        return entry.isFile() ? [relative(root, path).split(sep).join("/")] : [];
      }),
  );
  return found.flat();
}
