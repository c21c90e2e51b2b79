import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError, canonicalJson, isJsonObject, type JsonObject, type JsonValue, messageOf } from "@capstan/protocol";
import type { McpServer } from "./mcp-server.ts";
import { changedParts, type ServerDefinition, shownParts } from "./definition.ts";
import { offerFile } from "./kept-offer.ts";
import { writeKept } from "./write-kept.ts";

/** Which tools of a server are as they were when the user first had them, and which say something else now. */
export interface ComparedTools {
  readonly same: readonly ServerDefinition[];
  readonly changed: readonly { readonly tool: ServerDefinition; readonly parts: readonly string[] }[];
}

/** A tool that says something else than it did when the user took it. */
export interface ChangedTool {
  readonly name: string;
  /** What is not as it was; `before` is absent where only its hash was kept. */
  readonly parts: readonly { readonly part: string; readonly before?: JsonValue; readonly now: JsonValue }[];
}

/** What a server's tools said last, where that is not what they said first. */
export interface ChangedTools {
  /** Of everything they say now: whoever takes them names it. */
  readonly digest: string;
  readonly tools: readonly ChangedTool[];
}

/** Hashes by part, and beside them, under `said`, what they are the hashes of. */
type Pin = Readonly<Record<string, string | JsonObject>>;
type Pins = Record<string, Pin>;

/** Characters of a digest that a user names: enough that nobody makes another one to it. */
const digestCharacters = 32;

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
    if (fresh.length > 0) writeKept(this.fileOf(server), { ...pins, ...pinsOf(fresh) });
    if (changed.length > 0) writeKept(this.#changedFileOf(server), pinsOf(changed.map(({ tool }) => tool)));
    else rmSync(this.#changedFileOf(server), { force: true });
    const left = new Set(changed.map(({ tool }) => tool));
    return { same: tools.filter((tool) => !left.has(tool)), changed };
  }

  /** Whether each of them is known and as it was; nothing is kept. @throws AppError `config.unreadable` */
  areKnown(server: string, tools: readonly ServerDefinition[]): boolean {
    const pins = this.#read(server);
    return tools.every((tool) => {
      const before = Object.hasOwn(pins, tool.name) ? pins[tool.name] : undefined;
      return before !== undefined && changedParts(before, tool).length === 0;
    });
  }

  /** What was not as it was when the server was last started; `null`: everything was. @throws AppError `config.unreadable` */
  changed(server: string): ChangedTools | null {
    const now = this.#readFile(this.#changedFileOf(server));
    const names = Object.keys(now);
    if (names.length === 0) return null;
    const before = this.#read(server);
    return {
      digest: createHash("sha256").update(canonicalJson(now)).digest("hex").slice(0, digestCharacters),
      tools: names.map((name) => ({ name, parts: changesOf(before[name] ?? {}, now[name] ?? {}) })),
    };
  }

  /** Takes the changed tools as they are now, where that is what the digest stands for. @returns whether it was */
  approve(server: string, digest: string): boolean {
    if (this.changed(server)?.digest !== digest) return false;
    writeKept(this.fileOf(server), { ...this.#read(server), ...this.#readFile(this.#changedFileOf(server)) });
    rmSync(this.#changedFileOf(server), { force: true });
    // What it offers is more than was kept: the next session waits for it.
    rmSync(offerFile(this.#folder, server), { force: true });
    return true;
  }

  #changedFileOf(server: string): string {
    return join(this.#folder, `${server}.changed.json`);
  }

  #read(server: string): Pins {
    return this.#readFile(this.fileOf(server));
  }

  #readFile(file: string): Pins {
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
}

function pinsOf(tools: readonly ServerDefinition[]): Readonly<Record<string, Pin>> {
  const pins: Pins = Object.create(null);
  for (const tool of tools) pins[tool.name] = { ...tool.parts, said: shownParts(tool) };
  return pins;
}

function changesOf(before: Pin, now: Pin): ChangedTool["parts"] {
  return Object.keys(now).flatMap((part) => {
    if (part === "said" || before[part] === now[part]) return [];
    const old = isJsonObject(before["said"]) ? { before: before["said"][part] ?? null } : {};
    return [{ part, ...old, now: isJsonObject(now["said"]) ? (now["said"][part] ?? null) : null }];
  });
}

function partsOf(value: unknown): Pin {
  if (!isJsonObject(value)) throw new Error("not a table of hashes");
  return Object.fromEntries(
    Object.entries(value).flatMap(([part, held]) =>
      typeof held === "string" || (part === "said" && isJsonObject(held)) ? [[part, held]] : [],
    ),
  );
}

/** What its tools were is kept apart from that of another's server of its name. */
export function pinsName({ name, owner }: Pick<McpServer, "name" | "owner">): string {
  return owner === undefined ? name : `${name}.${owner}`;
}
