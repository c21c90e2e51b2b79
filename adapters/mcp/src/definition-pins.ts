import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, isJsonObject, messageOf } from "@capstan/protocol";
import { changedParts, type ServerDefinition } from "./definition.ts";

/** Which tools of a server are as they were when the user first had them, and which say something else now. */
export interface ComparedTools {
  readonly same: readonly ServerDefinition[];
  readonly changed: readonly { readonly tool: ServerDefinition; readonly parts: readonly string[] }[];
}

type Pins = Record<string, Readonly<Record<string, string>>>;

/**
 * What each tool of each server said about itself when it was first seen, on disk, so that no approval of a tool counts for another one that
 * took its name. A tool that is new is kept as it is.
 */
export class DefinitionPins {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where a server's are kept; without that file everything it says is new. */
  fileOf(server: string): string {
    return join(this.#folder, `${server}.json`);
  }

  /** @throws AppError `config.unreadable` for a file that cannot be read: then nothing is known to be the same */
  compare(server: string, tools: readonly ServerDefinition[]): ComparedTools {
    const pins = this.#read(server);
    const changed = tools.flatMap((tool) => {
      const before = Object.hasOwn(pins, tool.name) ? pins[tool.name] : undefined;
      const parts = before === undefined ? [] : changedParts(before, tool);
      return parts.length === 0 ? [] : [{ tool, parts }];
    });
    const fresh = tools.filter(({ name }) => !Object.hasOwn(pins, name));
    if (fresh.length > 0) this.#write(server, pins, fresh);
    const left = new Set(changed.map(({ tool }) => tool));
    return { same: tools.filter((tool) => !left.has(tool)), changed };
  }

  #read(server: string): Pins {
    const file = this.fileOf(server);
    try {
      const pins: Pins = Object.create(null);
      const value: unknown = JSON.parse(readFileSync(file, "utf8"));
      if (!isJsonObject(value)) throw new Error("not an object");
      for (const [name, parts] of Object.entries(value)) pins[name] = partsOf(parts);
      return pins;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return Object.create(null);
      throw new AppError("config.unreadable", `${file}: ${messageOf(error)}`, {
        hint: "It says what the server's tools were. Remove it to take them as they are now.",
      });
    }
  }

  #write(server: string, pins: Pins, fresh: readonly ServerDefinition[]): void {
    const file = this.fileOf(server);
    const all = Object.fromEntries([
      ...Object.entries(pins),
      ...fresh.map(({ name, parts }) => [name, parts] as const),
    ]);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const beside = `${file}.${process.pid}`;
    writeFileSync(beside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    renameSync(beside, file);
  }
}

function partsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) throw new Error("not a table of hashes");
  return Object.fromEntries(
    Object.entries(value).flatMap(([part, hash]) => (typeof hash === "string" ? [[part, hash]] : [])),
  );
}
