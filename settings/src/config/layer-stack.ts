import { canonicalJson, isJsonObject, type JsonValue } from "@capstan/protocol";
import { type ConfigOrigin, describeOrigin } from "./config-origin.ts";
import type { CapstanConfig } from "./keys/capstan-config.ts";
import type { ConfigKey } from "./keys/config-key.ts";
import { type ConfigSegments, parsePath, pathText } from "./keys/config-path.ts";
import { type KeyNode, keyTree } from "./keys/key-tree.ts";
import { quoteName } from "./quote.ts";

/** What one layer said about a key. */
export interface ConfigContribution {
  readonly value: JsonValue;
  readonly origin: ConfigOrigin;
  /** Of a list of rules: the line each stands on. */
  readonly entryLines?: readonly (number | undefined)[];
}

/** A key after all layers. */
export interface SettledKey {
  readonly value: JsonValue;
  /** All that was said about it, weakest first; the first is the default. */
  readonly layers: readonly ConfigContribution[];
  /** Where it was locked: no layer but the managed one changes it. */
  readonly locked?: ConfigOrigin;
}

/** Layers put on one another, weakest first. */
export class LayerStack {
  readonly #contributions = new Map<string, ConfigContribution[]>();
  readonly #current = new Map<string, JsonValue>();
  /** Names in use in each table, by its path with a dot behind it. */
  readonly #names = new Map<string, Set<string>>();
  /** Paths of keys and tables that only the managed layer may set. */
  readonly #locks = new Map<string, ConfigOrigin>();
  /** Sentences about values that a lock kept out. */
  readonly refusals: string[] = [];

  /** The value so far. */
  current(segments: ConfigSegments, key: ConfigKey): JsonValue {
    return this.#current.get(pathText(segments)) ?? key.default;
  }

  /** From now on nothing but the managed layer sets a key, or any key of a table. The first lock is the one that is named. */
  lock(segments: ConfigSegments, origin: ConfigOrigin): void {
    const path = pathText(segments);
    if (!this.#locks.has(path)) this.#locks.set(path, origin);
  }

  add(segments: ConfigSegments, key: ConfigKey, contribution: ConfigContribution): void {
    const path = pathText(segments);
    const lock = contribution.origin.layer === "managed" ? undefined : this.#lockOf(segments);
    if (lock !== undefined) {
      if (canonicalJson(contribution.value) !== canonicalJson(this.current(segments, key)))
        this.refusals.push(
          `${describeOrigin(contribution.origin)}: ${quoteName(path)} is ignored: it is locked by ${describeOrigin(lock)}`,
        );
      return;
    }
    this.#current.set(path, combine(key, this.current(segments, key), contribution.value));
    const contributions = this.#contributions.get(path) ?? [];
    this.#contributions.set(path, contributions);
    contributions.push(contribution);
    for (const [position, name] of segments.entries()) {
      const prefix = position === 0 ? "" : `${pathText(segments.slice(0, position))}.`;
      const names = this.#names.get(prefix) ?? new Set();
      this.#names.set(prefix, names.add(name));
    }
  }

  /** All values with their defaults, and every key by its written path. */
  settle(): { readonly values: CapstanConfig; readonly keys: ReadonlyMap<string, SettledKey> } {
    const keys = new Map<string, SettledKey>();
    const values: unknown = this.#table(keyTree, "", keys);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where the type is minted: `ConfigPath` ties the tree to the interface, the checks its values
    return { values: values as CapstanConfig, keys };
  }

  /** @param prefix  the table's path with a dot behind it; every start pays for this walk, so paths are not joined again */
  #table(
    children: ReadonlyMap<string, KeyNode>,
    prefix: string,
    keys: Map<string, SettledKey>,
  ): Readonly<Record<string, unknown>> {
    const chosen = children.get("*");
    if (chosen !== undefined) return this.#chosenTable(chosen, prefix, keys);
    const table: Record<string, unknown> = {};
    for (const [name, node] of children) table[name] = this.#node(node, prefix + name, keys);
    return table;
  }

  #lockOf(segments: ConfigSegments): ConfigOrigin | undefined {
    if (this.#locks.size === 0) return undefined;
    for (let length = segments.length; length > 0; length -= 1) {
      const lock = this.#locks.get(pathText(segments.slice(0, length)));
      if (lock !== undefined) return lock;
    }
    return undefined;
  }

  #chosenTable(node: KeyNode, prefix: string, keys: Map<string, SettledKey>): Readonly<Record<string, unknown>> {
    // Names the user chooses are looked up without a prototype in the way.
    const table: Record<string, unknown> = Object.create(null);
    for (const name of this.#names.get(prefix) ?? []) {
      const value = this.#node(node, prefix + pathText([name]), keys);
      // An entry is there or not; it is never empty.
      if (value !== null) table[name] = value;
    }
    return table;
  }

  #node(node: KeyNode, path: string, keys: Map<string, SettledKey>): unknown {
    if (node.type === "table") return this.#table(node.children, `${path}.`, keys);
    const byDefault: ConfigContribution = { value: node.key.default, origin: byDefaultOrigin };
    const contributions = this.#contributions.get(path);
    const value = this.#current.get(path) ?? node.key.default;
    const locked = this.#locks.size === 0 ? undefined : this.#lockOf(parsePath(path) ?? [path]);
    const layers = contributions === undefined ? [byDefault] : [byDefault, ...contributions];
    keys.set(path, { value, layers, ...(locked === undefined ? {} : { locked }) });
    return value;
  }
}

const byDefaultOrigin: ConfigOrigin = { layer: "default" };

function combine(key: ConfigKey, below: JsonValue, above: JsonValue): JsonValue {
  if (key.joins === true && Array.isArray(below) && Array.isArray(above)) {
    const known = new Set(below.map(canonicalJson));
    return [...below, ...above.filter((entry) => !known.has(canonicalJson(entry)))];
  }
  if (key.type.type === "open-table" && isJsonObject(below) && isJsonObject(above)) return { ...below, ...above };
  return above;
}
