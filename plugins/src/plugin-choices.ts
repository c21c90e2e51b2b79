import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, isJsonObject, type JsonObject, messageOf } from "@capstan/protocol";
import { type FoundPlugin, pluginHash } from "./find/plugin-file.ts";

/** What a plugin was when it was first used, as far as it is not so any more. */
export interface ChangedPlugin {
  /** Its files that are new, gone or another, with the word for each. */
  readonly files: readonly string[];
}

interface Seen {
  readonly sha256: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Which plugins the user switched off, and what each was when it was first used: `plugins.json` of the data directory. */
export class PluginChoices {
  readonly #file: string;

  constructor(home: string) {
    this.#file = join(home, "plugins.json");
  }

  /** @throws AppError `config.unreadable` */
  isDisabled(id: string): boolean {
    return this.#read().disabled.includes(id);
  }

  /** What is different from when it was first used. A workspace's plugins are bound by trust. */
  changed(plugin: FoundPlugin): ChangedPlugin | undefined {
    if (plugin.from === "workspace") return undefined;
    const seen = this.#read().seen[keyOf(plugin)];
    if (seen === undefined || seen.sha256 === pluginHash(plugin)) return undefined;
    return { files: differences(seen, plugin) };
  }

  /** The same; a plugin that is new is kept as it is. */
  compare(plugin: FoundPlugin): ChangedPlugin | undefined {
    const isNew = plugin.from !== "workspace" && this.#read().seen[keyOf(plugin)] === undefined;
    if (isNew) this.accept(plugin);
    return this.changed(plugin);
  }

  /** It is used as it is now. */
  accept(plugin: FoundPlugin): void {
    const { disabled, seen } = this.#read();
    const files = Object.fromEntries(plugin.files.map(({ path, sha256 }) => [path, sha256]));
    this.#write({
      disabled: disabled.filter((id) => id !== plugin.id),
      seen: { ...seen, [keyOf(plugin)]: { sha256: pluginHash(plugin), files } },
    });
  }

  disable(id: string): void {
    const { disabled, seen } = this.#read();
    this.#write({ disabled: [...new Set([...disabled, id])].toSorted(), seen });
  }

  #read(): { readonly disabled: readonly string[]; readonly seen: Readonly<Record<string, Seen>> } {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#file, "utf8"));
      if (!isJsonObject(value)) throw new Error("not an object");
      const { disabled, seen } = value;
      return {
        disabled: Array.isArray(disabled)
          ? disabled.flatMap((id: unknown) => (typeof id === "string" ? [id] : []))
          : [],
        seen: isJsonObject(seen) ? seenOf(seen) : {},
      };
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return { disabled: [], seen: {} };
      throw new AppError("config.unreadable", `${this.#file}: ${messageOf(error)}`, {
        hint: "It says which plugins are off, and what each was. Remove it to take them as they are now.",
      });
    }
  }

  #write(choices: object): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const beside = `${this.#file}.${process.pid}`;
    writeFileSync(beside, `${JSON.stringify(choices, null, 2)}\n`, { mode: 0o600 });
    renameSync(beside, this.#file);
  }
}

function keyOf({ folder, entry }: FoundPlugin): string {
  return join(folder, entry);
}

function seenOf(value: JsonObject): Readonly<Record<string, Seen>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, seen]) => {
      if (!isJsonObject(seen) || typeof seen["sha256"] !== "string") return [];
      const files = isJsonObject(seen["files"]) ? Object.entries(seen["files"]) : [];
      const hashes = files.flatMap(([path, hash]) => (typeof hash === "string" ? [[path, hash] as const] : []));
      return [[key, { sha256: seen["sha256"], files: Object.fromEntries(hashes) }]];
    }),
  );
}

function differences(seen: Seen, { files }: FoundPlugin): readonly string[] {
  const now = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const gone = Object.keys(seen.files).filter((path) => !now.has(path));
  const other = [...now].filter(([path, sha256]) => Object.hasOwn(seen.files, path) && seen.files[path] !== sha256);
  const added = [...now.keys()].filter((path) => !Object.hasOwn(seen.files, path));
  return [
    ...other.map(([path]) => `${path} (changed)`),
    ...added.map((path) => `${path} (new)`),
    ...gone.map((path) => `${path} (gone)`),
  ];
}
